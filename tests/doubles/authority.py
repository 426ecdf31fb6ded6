"""A certificate authority for one test, and its certificate for one name (RFC 5280): what an operator makes once."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_YEAR = datetime.timedelta(days=365)


def make_authority(*, directory: Path, host: str) -> tuple[Path, Path]:
    """(the authority's certificate, certificate and key of `host`), both as PEM files in the directory."""
    directory.mkdir()
    authority_key, host_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "authority of a test")])
    root = _certificate(issuer, issuer, authority_key.public_key())
    root = root.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    leaf = _certificate(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)]), issuer, host_key.public_key())
    leaf = leaf.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    authority, own = directory / "authority.pem", directory / "host.pem"
    authority.write_bytes(_signed(root, authority_key))
    secret = host_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    own.write_bytes(_signed(leaf, authority_key) + secret)
    return authority, own


def _certificate(
    subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public_key)
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - _YEAR).not_valid_after(now + _YEAR)


def _signed(builder: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey) -> bytes:
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
