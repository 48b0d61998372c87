"""Which host names and addresses are evidence and stay, and which would give a person away."""

import ipaddress
import re

_PUBLIC = frozenset(
    """huggingface.co hf.co hf.space hf-mirror.com xethub.com modelscope.cn modelscope.com modelscope.ai ollama.com ollama.ai vllm.ai ggml.ai lmstudio.ai
    github.com github.io githubusercontent.com gitlab.com gitee.com gitcode.com bitbucket.org codeberg.org gitea.com
    docker.io docker.com dockerhub.com ghcr.io quay.io gcr.io pkg.dev nvcr.io mcr.microsoft.com public.ecr.aws registry.k8s.io k8s.io daocloud.io
    nvidia.com nvidia.cn pytorch.org tensorflow.org python.org pypi.org pythonhosted.org pypa.io conda.io anaconda.com anaconda.org condaforge.org
    readthedocs.io readthedocs.org rtfd.io pydantic.dev langchain.com langchain.dev smith.langchain.com langfuse.com wandb.ai comet.com sentry.io
    openai.com openai.azure.com anthropic.com claude.ai deepseek.com moonshot.cn moonshot.ai kimi.com bigmodel.cn zhipuai.cn z.ai minimax.chat minimaxi.com minimax.io siliconflow.cn
    siliconflow.com openrouter.ai groq.com x.ai together.xyz together.ai fireworks.ai mistral.ai cohere.com cohere.ai perplexity.ai replicate.com
    aliyuncs.com aliyun.com alibabacloud.com volces.com volcengine.com baidubce.com baidu.com tencent.com qcloud.com myqcloud.com tencentcloudapi.com huaweicloud.com myhuaweicloud.com
    googleapis.com google.com goo.gl gstatic.com cloud.google.com amazonaws.com aws.amazon.com amazon.com cloudfront.net azure.com windows.net azureedge.net azure.net microsoft.com live.com office.com aka.ms
    cloudflare.com cloudflarestorage.com r2.dev fastly.net akamai.net jsdelivr.net unpkg.com npmjs.org npmjs.com nodesource.com yarnpkg.com rubygems.org crates.io golang.org go.dev
    debian.org ubuntu.com canonical.com launchpad.net archlinux.org alpinelinux.org fedoraproject.org centos.org redhat.com kernel.org gnu.org
    tsinghua.edu.cn ustc.edu.cn sjtu.edu.cn bfsu.edu.cn aliyun-inc.com npmmirror.com
    wikipedia.org mozilla.org w3.org ietf.org json-schema.org apache.org opencontainers.org stackoverflow.com reddit.com medium.com arxiv.org ieee.org
    ngrok.com ngrok.io tailscale.com letsencrypt.org requests.readthedocs.io urllib3.readthedocs.io nginx.org nginx.com
    ray.io anyscale.com grafana.com prometheus.io opentelemetry.io slack.com discord.com telegram.org dingtalk.com feishu.cn weixin.qq.com zhihu.com csdn.net juejin.cn
    flashinfer.ai tile-ai.cn llvm.org intel.com amd.com rocm.docs.amd.com docs.rs rust-lang.org microsoftonline.com visualstudio.com
    litellm.ai portkey.ai helicone.ai one-api.com newapi.pro oneapi.com dashscope.aliyuncs.com nebius.com runpod.io runpod.net lambdalabs.com vast.ai modal.com deepinfra.com novita.ai baseten.co cerebras.ai sambanova.ai hyperbolic.xyz
    docker.internal kubernetes.default svc.cluster.local cluster.local pool.ntp.org""".split()
)
_SPECIMEN = re.compile(
    r"(?:www|api|proxy|registry|mirror|gateway|mail|smtp|cdn|docs|your-\w+|my-\w+|host|server)\.(?:[\w-]+\.)*(?:example|test|invalid)"
    r"|(?:[\w-]+\.){0,2}example\.(?:com|org|net)"
)
"""Names reserved for documentation (RFC 2606) with a label that says no more than what the machine does."""
_RESOLVERS = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "114.114.114.114", "223.5.5.5", "223.6.6.6", "119.29.29.29"})
_DOCUMENTATION = tuple(ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"))


def stays(host: str) -> bool:
    """True for hosts of public services and for names without a dot (compose services, container ids)."""
    name = host.lower().strip(".")
    if "." not in name or name.rsplit(".", 1)[-1].isdigit():
        return True
    if _SPECIMEN.fullmatch(name):
        return True
    labels = name.split(".")
    return any(".".join(labels[i:]) in _PUBLIC for i in range(len(labels)))


def public_address(address: str) -> bool:
    """An IP address that belongs to somebody: neither private, loopback, link-local nor a well-known resolver."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(parsed in network for network in _DOCUMENTATION):
        return True
    return parsed.is_global and not parsed.is_multicast and address not in _RESOLVERS
