"""TLS: whether the certificate holds, and http spoken where https is, or the other way round."""

import re
import socket
import ssl
from urllib.parse import urlsplit

from copilot.adapters.probe import NoAnswer
from copilot.chain import proxies
from copilot.chain.links import Broken, Found, Result
from copilot.model.text import Text

CONNECT = 5.0
"""Seconds."""
_OTHER_NAME = (62, 64)
"""OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH."""
_DATES = {9: "not yet valid", 10: "has expired"}
"""X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED."""
_WANTS_TLS = re.compile(r"HTTP request (?:was sent )?to (?:an )?HTTPS (?:server|port)", re.IGNORECASE)
"""What Go's and nginx's servers answer to http on their https port."""
_BASE = ("client:base_url",)


def tls(found: Found) -> Result | None:
    """Whether the certificate holds; not looked at where a proxy connects in our place."""
    address = urlsplit(found.base)
    if address.scheme != "https" or proxies.asked(found) is not None:
        return None
    host = address.hostname or ""
    try:
        with (
            socket.create_connection((host, address.port or 443), timeout=CONNECT) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure,
        ):
            version = secure.version()
            return Text(en=f"{version}, the certificate is valid", zh=f"{version}，证书有效")
    except ssl.SSLCertVerificationError as error:
        return _certificate(host, error)
    except OSError as error:
        return _no_tls(found, error)


def _no_tls(found: Found, error: OSError) -> Broken:
    """A server that does not answer in TLS."""
    reason = str(getattr(error, "reason", "") or error)[:160]
    sure = "WRONG_VERSION" in reason or "RECORD_LAYER" in reason
    return Broken(
        "client",
        _BASE,
        Text(en="the server speaks http, not https", zh="服务器使用 http 而不是 https"),
        Text(en=f"The port answers, but not with TLS ({reason}).", zh=f"端口有应答，但不是 TLS（{reason}）。"),
        to=found.base.replace("https://", "http://", 1),
        before=found.base,
        sure=sure,
    )


def _certificate(host: str, error: ssl.SSLCertVerificationError) -> Broken:
    """A certificate that is not accepted: of another name, out of its dates, or of an unknown authority."""
    said = error.verify_message.rstrip(".")
    title = Text(en=f"the certificate of {host} is not accepted", zh=f"{host} 的证书不被接受")
    cause = Text(en=f"The certificate of {host} is not accepted: {said}.", zh=f"{host} 的证书不被接受：{said}。")
    if error.verify_code in _OTHER_NAME:
        told = Text(
            en="Use the name that stands in the certificate as the host of the base URL.",
            zh="把 base URL 的主机名改为证书中的名称。",
        )
        return Broken("client", _BASE, title, cause, do=told)
    if error.verify_code in _DATES:
        told = Text(
            en="Renew the server's certificate; if it is not out of date, set this machine's clock.",
            zh="更新服务器的证书；如果证书其实有效，请校准本机时间。",
        )
        return Broken("network", ("client:base_url", "host:time"), title, cause, do=told, sure=False)
    told = Text(
        en="If the server is yours or your company's, save its authority's certificate and name the file in "
        "SSL_CERT_FILE.",
        zh="如果是自己或公司的服务器，把其 CA 证书存为文件，并用 SSL_CERT_FILE 指定该文件。",
    )
    return Broken("network", ("env:SSL_CERT_FILE", "client:base_url"), title, cause, do=told)


def https_wanted(found: Found, told: NoAnswer | str) -> Broken | None:
    """Whether http was spoken to a server of https: it hangs up, or says so. `told`: the failure, or the body."""
    address = urlsplit(found.base)
    if address.scheme != "http":
        return None
    if isinstance(told, str):
        wanted = bool(_WANTS_TLS.search(told[:2000]))
    else:
        wanted = told.kind == "broken" and _spoken(address.hostname or "", address.port or 80)
    if not wanted:
        return None
    return Broken(
        "client",
        _BASE,
        Text(en="the server speaks https, not http", zh="服务器使用 https 而不是 http"),
        Text(en="The port answers TLS, and http was sent to it.", zh="该端口使用 TLS，而请求是 http。"),
        to=found.base.replace("http://", "https://", 1),
        before=found.base,
    )


def _spoken(host: str, port: int) -> bool:
    """Whether the port begins a TLS handshake; whose certificate it shows does not matter here."""
    try:
        with (
            socket.create_connection((host, port), timeout=CONNECT) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host),
        ):
            return True
    except ssl.SSLCertVerificationError:
        return True
    except OSError:
        return False
