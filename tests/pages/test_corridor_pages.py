import pytest
from django.test import Client
from tests.factories.worlds import make_world, make_user
from auditing.core.values import Choice
pytestmark = pytest.mark.django_db
def as_(u):
    c=Client(); c.force_login(u, backend="django.contrib.auth.backends.ModelBackend"); return c
def test_pages():
    w=make_world(); a=w.submit(); w.settle_machines()
    c=as_(w.provider)
    for url in ["/audits","/submit","/campaigns",f"/audits/{a.pk}",f"/audits/{a.pk}/report",f"/audits/{a.pk}/report.json",f"/campaigns/{w.campaign.pk}"]:
        r=c.get(url); assert r.status_code==200,(url,r.status_code)
    r=as_(w.reviewers[0]).get("/desk"); assert r.status_code==200 and b"Current reasoning" in r.content
    assert as_(w.reviewers[0]).get(f"/audits/{a.pk}").status_code==404
    w.everybody_votes(a, Choice.FAIL)
    r=c.get(f"/audits/{a.pk}"); assert r.status_code==200
    r=c.get(f"/audits/{a.pk}/report"); print(r.content.decode()[:3000]); 
