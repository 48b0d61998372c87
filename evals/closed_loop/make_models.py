"""Make the tiny models of the closed loop: run by the server's own interpreter, which has torch and tokenizers.

    /opt/vllm/bin/python evals/closed_loop/make_models.py FOLDER

A Llama of two layers with a byte-level tokenizer trained on the interpreter's standard library; vLLM fills it with
random weights (`--load-format dummy`), so none are written. Its answers mean nothing: that it answers is the test.
"""

import json
import sys
import sysconfig
from pathlib import Path

VOCABULARY = 2048
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 128, "intermediate_size": 256,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
    "vocab_size": VOCABULARY, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "hidden_act": "silu", "tie_word_embeddings": False, "torch_dtype": "bfloat16", "bos_token_id": 0,
    "eos_token_id": 2, "pad_token_id": 0, "initializer_range": 0.02,
}  # fmt: skip
LONG = {"num_hidden_layers": 16, "num_attention_heads": 8, "num_key_value_heads": 8, "head_dim": 128,
        "max_position_embeddings": 131072}  # fmt: skip


def main() -> None:
    """Write every model into the folder named."""
    root = Path(sys.argv[1])
    tokenizer = root / "tokenizer.json"
    root.mkdir(parents=True, exist_ok=True)
    train(tokenizer)
    model(root / "tiny-llama", tokenizer, {})
    model(root / "longctx-llama", tokenizer, LONG)
    adapter(root / "lora-sql")


def train(target: Path) -> None:
    """A byte-level tokenizer of the vocabulary's size."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    texts = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:60]
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator((text.read_text(errors="replace") for text in texts), trainer)
    made.save(str(target))


def model(folder: Path, tokenizer: Path, differs: dict[str, object]) -> None:
    """One model folder without weights."""
    folder.mkdir(exist_ok=True)
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "model_max_length": 2048,
        "clean_up_tokenization_spaces": False,
        "chat_template": TEMPLATE,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1))
    (folder / "config.json").write_text(json.dumps({**LLAMA, **differs}, indent=1))
    (folder / "generation_config.json").write_text('{"eos_token_id": 2}')


def adapter(folder: Path) -> None:
    """A LoRA adapter of the small model that changes nothing."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(exist_ok=True)
    facts = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "r": 8, "lora_alpha": 16, "lora_dropout": 0.0,
             "bias": "none", "target_modules": ["q_proj", "v_proj"], "base_model_name_or_path": "tiny"}  # fmt: skip
    (folder / "adapter_config.json").write_text(json.dumps(facts))
    weights = {}
    for layer in range(2):
        for name, size in (("q_proj", 128), ("v_proj", 64)):
            place = f"base_model.model.model.layers.{layer}.self_attn.{name}"
            weights[f"{place}.lora_A.weight"] = torch.zeros(8, 128)
            weights[f"{place}.lora_B.weight"] = torch.zeros(size, 8)
    save_file(weights, folder / "adapter_model.safetensors")


if __name__ == "__main__":
    main()
