"""Trace text loses every sign of its author and none of its mathematics."""

import re
import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdag.core.masking.disguise import DOUBLES, plain
from hdag.core.masking.masking import WORDS, finds, mask

SIGNS = """
I am Claude, an assistant made by Anthropic.
As Claude, made by Anthropic, I think x = 2.
I'm Gemini, a large language model trained by Google.
As an AI language model, I cannot be sure.
<|im_start|>assistant
<｜begin▁of▁sentence｜> So x = 2.
[INST] solve [/INST]
<think>x = 2</think>
◁think▷ x = 2
### Assistant: so x = 2
See https://chat.example.com/share/1 and www.example.org.
The code is at github.com/janedoe/solver.
Write to jane.doe@lab.example.edu.
Write to jane [at] lab [dot] example [dot] edu.
Call +49 170 123 4567 or (555) 123-4567.
Thanks to @jane_doe for it.
My key is sk-ant-REDACTED-0123456789abcdef0123.
GPT-4o and Qwen2.5-Math-72B-Instruct agree with DeepSeek-R1 and Llama-3.1.
gpt-4 and chatgpt, llama-3-70b-instruct, o1-preview, _ChatGPT_.
Claude 3.5 Sonnet and Gemini 1.5 Pro and Anthropic's Claude and Gemini (Google).
Solution by: Jane Doe
I was trained by Google.
Ich bin Claude.
Als KI-Sprachmodell sage ich x = 2.
En tant que modèle de langage, je calcule.
Je suis une intelligence artificielle.
Como modelo de lenguaje, calculo.
Soy una inteligencia artificial.
Como um modelo de linguagem, calculo.
Sono un modello linguistico.
Как языковая модель, я считаю.
作为一个人工智能语言模型，x = 2。
我是ChatGPT，由OpenAI开发的AI。
私はAIアシスタントです。
저는 언어 모델입니다.
""".strip().splitlines()
TELLING = """claude anthropic ai im_start begin inst <think http www @ gpt qwen deepseek llama jane google example
    github openai gemini sonnet sk- 4567 o1 chatgpt sprachmodell langage intelligence lenguaje inteligencia linguagem
    linguistico модель 人工智能 アシスタント 언어""".split()
ORDINARY = r"""
Claude buys 3 apples.
Claude 3 apples, Gemini 2.
Give Claude 2.5 dollars and Llama 3.5 %.
Ann has 2.5 and Claude 3.5.
As Claude buys apples, Orca swims.
Gemini is a constellation; Gemini 4 flew in 1965, a Falcon 9 lands.
The Mistral wind blows at 3.5 m/s.
A farm has 12 llamas. Llama 2 eats 3 kg.
f(x) < s > 3 and P(A|B) <|x|> 2
x := y
a@b and A @ B
@property
\phi-2 and \Phi-3, Phi-2 = 1
+1 234 + 5678 = 6912
5 + 123-456-7890
u/v + u/sin(x)
AST/GPT was 45 U/L, GPT 45.
The theorem was developed by Gauss; the wooden model built by Tom is 3 m long.
We add the sandwiches made by Billy, created by Ann.
System: 2x + y = 3
Model: y = ax
monday.com pays 3 dollars.
My name is Tom and I am 5.
I am a teacher; this is an aid to memory.
ν·ρ·Τ = 3; ΑΒΓ; Δx = 3·10⁻²; x̂ + ȳ
Пусть x = 2, тогда y = 3.
设 x = 2，则 y = 3。
""".strip().splitlines()


@pytest.mark.parametrize("text", SIGNS)
def test_no_sign_of_the_author_is_left(text: str) -> None:
    masked = mask(text=text).lower()
    assert masked != text.lower()
    for word in WORDS.values():
        masked = masked.replace(word, " ")
    latin = [word for word in TELLING if word.isascii() and re.search(rf"(?<![a-z]){word}", masked)]
    assert not latin + [word for word in TELLING if not word.isascii() and word in masked], masked


@pytest.mark.parametrize("text", ORDINARY)
def test_mathematics_and_ordinary_names_stay(text: str) -> None:
    assert mask(text=text) == text


def test_declared_names_are_hidden_whole_and_everyday_words_are_not() -> None:
    names = ["acme/solver-7B", "Foo Institute", "model"]
    assert (
        mask(
            text="solver-7b, Solver 7b, solver_7B of the FOO\nINSTITUTE and foo-institute: the model holds", names=names
        )
        == "[name], Solver 7b, [name] of the [name] and [name]: the model holds"
    )


BACK = {latin: double for double, latin in DOUBLES.items()}
disguises = st.sampled_from(
    [
        lambda letter: letter + "\u200b",
        lambda letter: BACK.get(letter, letter),
        lambda letter: chr(ord(letter) + 0xFEE0) if letter.isalnum() else letter,
        lambda letter: letter + "\u0301",
        lambda letter: chr(0x1D400 + ord(letter) - 65) if "A" <= letter <= "Z" else letter,
    ]
)


@given(st.sampled_from(["ChatGPT", "DeepSeek-R1", "OpenAI", "I am Claude", "Foo Lab"]), st.data())
def test_disguised_letters_hide_nothing(sign: str, data: st.DataObject) -> None:
    dressed = "".join(data.draw(disguises)(letter) if letter.isalpha() else letter for letter in sign)
    masked = mask(text=f"So {dressed} says 2.", names=["Foo Lab"])
    left = unicodedata.normalize("NFKD", plain(text=masked)[0])
    assert not re.search(r"ChatGPT|DeepSeek|OpenAI|Claude|Foo", left), masked


@settings(max_examples=50)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=20))
def test_the_plain_form_knows_where_each_letter_stood(text: str) -> None:
    letters, places = plain(text=text)
    assert len(places) == len(letters) + 1
    assert places == sorted(places)
    assert all(plain(text=text[place])[0].find(letter) >= 0 for letter, place in zip(letters, places, strict=False))


@given(st.lists(st.sampled_from([*SIGNS, *ORDINARY, "\n", " ", "Claude", "-3", "@", "<|"]), max_size=9).map(" ".join))
def test_finds_lie_apart_and_masking_twice_changes_nothing(text: str) -> None:
    spans = [span for _, span, _ in finds(text)]
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    once = mask(text=text)
    assert mask(text=once) == once


BADS = [
    "a",
    "a.",
    "@",
    "www.",
    "<|",
    "GPT-",
    "author: ",
    " ",
    "i am ",
    "a@a.",
    "a [at] ",
    "+1 23",
    "123-456-",
    "eyJ-.",
    "I was ",
    "sk-",
    "-----BEGIN ",
    "as a ",
    "Claude ",
    "Р\u200b",
    "我是",
    "由AI",
    "<think",
    "## ",
    "\n",
    "u/",
    " @a",
]


@pytest.mark.parametrize("bad", BADS)
def test_no_text_makes_masking_run_away(bad: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        mask(text=bad * (size // len(bad)) + "!")
        return time.process_time() - started

    seconds(2_000)
    long, short = (min(seconds(size) for _ in range(3)) for size in (40_000, 4_000))
    assert long < 20 * max(short, 0.004)
