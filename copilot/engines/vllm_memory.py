"""The memory lines of vLLM, 0.6.0 to 0.33.0, and PyTorch's out-of-memory sentence.

Wordings and the versions that print them come from vLLM's released sources (Apache-2.0).
"""

from copilot.engines.figures import BINARY, figures, read_figures
from copilot.model.ledger import Readings
from copilot.model.log import Line

_PATTERNS = tuple(
    figures(pattern)
    for pattern in (
        # the check at start: 0.9.1+, with the device 0.14.0+; the summary after profiling 0.10.2+
        r"Free memory on device(?: \S+)? \({free}/{total}\) on startup",
        r"less than (?:the )?desired GPU memory utilization \({utilization}, {requested}\)",
        r"budget after excluding external process's weights \({utilization}, {requested}\)",
        r"Externally held weights on device \S+ \({others}/{total}\) exceed",
        r"exceed the desired GPU memory utilization \({utilization}, {requested}\)",
        r"Desired GPU memory utilization is \({utilization}, {requested}\)",
        r"Actual usage is {weights} for weight, {activation} for peak activation, {non_torch} for non-torch memory",
        r"Actual usage is {consumed} for consumed memory \(weights \+ non-torch\), {activation} for peak activation",
        r", and {graphs} for CUDAGraph memory",
        r"Available memory on node \d+ \({free}/{total}\) on (?:startup|kv cache allocation) is less than",
        r"requested memory for kv \({requested}\)",
        r"desired CPU memory utilization \({utilization}, {requested}\)",
        r"(?:Explicitly|Auto) set \({kv_available}/{total}\) GiB for KV cache",
        # debug lines of the worker
        r"init memory snapshot: .*free_memory={free}, total_memory={total}",
        r"worker requested memory: {requested}",
        r"Initial free memory: {free}; Requested memory: {utilization} \(util\), {requested}",
        r"torch peak memory increase: {activation}; non-torch forward increase memory: {non_torch}",
        r"; weights memory: {weights}",
        r"Initial free memory {free}, reserved {kv_reserved} memory for KV Cache",
        r"Error in memory profiling\. Initial free memory {free}",
        # V0: 0.6.3 to 0.10.2
        r"total_gpu_memory \({total}\) x gpu_memory_utilization \({utilization}\) = {requested}",
        r"model weights take {weights}; non_torch_memory takes {non_torch}",
        r"activation peak memory takes {activation}; the rest of the memory reserved for KV Cache is {kv_available}",
        r"total_gpu_memory={total} .*non_torch_memory={non_torch} kv_cache_size={kv_available}",
        r"kv_cache_size=\S+ gpu_memory_utilization={utilization}",
        # weights
        r"Model loading took {weights}(?: memory)? and",
        r"Loading model weights took {weights}",
        r"Peak GPU memory after loading weights: {weights}",
        r"Total CPU offloaded parameters: {offloaded}",
        # KV cache
        r"Available KV cache memory: {kv_available}",
        r"(?:KV|kv) cache size: {tokens} tokens",
        r"[Mm]aximum concurrency for {max_model_len} tokens per request: {concurrency}x",
        r"# (?:GPU|cuda) blocks: {blocks}\b",
        r"max seq len \({max_model_len}\), \({kv_needed} KV cache is needed",
        r"is needed, which is larger than the available KV cache memory \({kv_available}\)",
        r"the estimated maximum model length is {max_len_fits}\b",
        r"The model's max seq len \({max_model_len}\) is larger than",
        r"maximum number of tokens that can be stored in KV cache \({tokens}\)",
        r"Auto-fit max_model_len: reduced from {max_model_len} to {max_len_fits} ",
        r"Auto-fit max_model_len: full model context length {max_len_fits} fits",
        r"Using max model len {max_model_len}$",
        r"Chunked prefill is enabled with max_num_batched_tokens={batched_tokens}",
        # graphs
        r"Graph capturing finished in \S+ secs?, took {graphs}",
        r"Estimated CUDA graph memory: {graphs_estimated}",
        r"CUDA graph pool memory: {graphs_actual} \(actual\), {graphs_estimated} \(estimated\)",
        # PyTorch
        r"out of memory\. Tried to allocate {oom_tried}",
        r"has a total capacity of {oom_total} of which {oom_free} is free",
        r"this process has {oom_in_use} memory in use",
        r"Of the allocated memory {oom_allocated} is allocated by PyTorch",
        r"and {oom_reserved} is reserved by PyTorch but unallocated",
        r"\. Process \d+ has {others} memory in use",
        r"warming up (?:sampler|pooler) with {sequences} dummy requests",
    )
)


def read_memory(lines: tuple[Line, ...]) -> Readings:
    """The figures of one boot."""
    return read_figures(lines, _PATTERNS, BINARY)
