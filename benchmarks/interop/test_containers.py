"""docker-compose.yml walks one audit from `migrate` to the export, each service as confined as in its container."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from benchmarks.interop.containers import ROOT, Image

NAMESPACES = ["unshare", "--net", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child"]


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root makes namespaces")
def test_the_services_of_the_compose_file_record_an_audit(tmp_path):
    for part in ("image", "world"):
        (tmp_path / part).mkdir()
    Image(tmp_path / "image").build()
    program = [sys.executable, "-m", "benchmarks.interop.containers", tmp_path / "image", tmp_path / "world"]
    ran = subprocess.run([*NAMESPACES, *program], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, ran.stderr[-3_000:]
    seen = json.loads(ran.stdout.strip().splitlines()[-1])
    print(json.dumps(seen, indent=1))
    assert seen["confined"]["beat"] == ["redis_url", "10001"]  # its one secret, nothing writable, its user
    assert seen["confined"]["sequencer"] == ["database_sequencer_url", "ledger_signing_key", "redis_url", "10001"]
    assert (seen["health check of the container"], seen["ledger_fsck"][0]) == (0, 0)
    assert set(seen["votes"]) == {"200"}
    assert seen["signed by"] == ["trust.example/ledger/v1", "trust.example/witness/self"]
    assert (seen["submitted"], seen["proof"], seen["export taken"][0]) == (201, 200, 200)
    assert seen["front page and its style"][::2] == [200, 200]
    assert seen["ended by themselves"] == {}
