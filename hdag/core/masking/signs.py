"""Signs of who wrote a text, as patterns over its plain form (disguise.py): each is linear in the text.

A name that is also an everyday word (Claude buys apples, the constellation Gemini, the wind called mistral) is a sign
only where something beside it says that a model is meant: a version, a size, a maker, "I am". "Claude 2.5" alone is
what Claude was given.
"""

import re

_START, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"

# Spelt like this, whatever the case, they are models and nothing else.
_MODELS = (
    r"chat[ -]?gpt|instruct-?gpt|gpt-?neox?|gpt-?j-6b|deep[ -]?seek|qwen|qwq|qvq|mixtral|codestral|mathstral|ministral|"
    r"pixtral|chatglm|internlm|baichuan|nemotron|wizardlm|wizardmath|wizardcoder|metamath-(?:7|13|70)b|olmo|stablelm|"
    r"starcoder|code ?llama|tinyllama|smollm|openchat|gigachat|yandexgpt|hunyuan|doubao|minimax-m\d|exaone|hyperclova|"
    r"ernie[ -]?bot|claude[ -]?(?:instant|opus|sonnet|haiku)|gemini[ -](?:pro|flash|ultra|nano|advanced)|"
    r"llama[ -]?instruct|command[ -]r\+|dbrx-instruct|microsoft copilot|github copilot|"
    r"mistral (?:large|medium|small|nemo)|phi-[1-4](?:\.5)?-(?:mini|small|medium|vision|reasoning)|glm-\d|"
    r"yi-(?:6|9|34)b|o[134]-(?:mini|preview|pro)"
)
# GPT is a liver enzyme too: "GPT 45 U/L".
_GPT = (
    r"gpt[ -]?[1-9](?:\.\d)?(?:o|v)?(?![\w.]|,\d| ?(?:U/L|IU|units|and \d))(?:-[A-Za-z][\w.-]{0,30})?"
    r"|gpt(?=[ -]models?\b)"
)
_WORDS = (
    "Claude|Gemini|Llama|Mistral|Falcon|Grok|Gemma|Bard|Orca|Vicuna|Alpaca|Kimi|Copilot|Granite|Phi|Ernie|Nova|Jamba"
)
# a variant that a product name carries: "Claude Opus", "Gemini Pro", "Llama 70B"
_KIND = r"(?: (?:Opus|Sonnet|Haiku|Pro|Flash|Turbo|Instruct|Chat|\d{1,3}B)\b){1,2}"
# An everyday word with a version and a variant, joined to a version ("Claude-3", not "Phi-3 = 2"), or after
# "using", "model", "via", "written by".
_WORD_MODEL = (
    rf"(?<!\\)(?:{_WORDS})(?:[ -]?v?\d(?:\.\d)?{_KIND}"
    rf"|-v?\d+(?:\.\d+)?(?!\d|\.\d| ?[*+/^=])(?:-[A-Za-z][\w.-]{{0,30}})?"
    rf"(?:{_KIND})?|\d(?:\.\d)?(?:{_KIND})?|{_KIND})"
    rf"|(?i:(?:{_WORDS})[ _-]?\d?(?:\.\d)?[ _-]\d{{1,3}}b(?:-[a-z][\w.-]{{0,30}})?)"
    rf"|(?:(?<=\busing )|(?<=\bmodel )|(?<=\bvia )|(?<=written by ))(?:{_WORDS}) \d(?:\.\d)?(?! ?[%a-z°$€£]|[.\d])"
)
_MODEL_MAKERS = r"(?:OpenAI|Anthropic|Google|Meta AI|xAI|Mistral AI|Moonshot)"
# An everyday word beside a maker or beside "language model".
_WORD_NAMED = (
    rf"(?:{_WORDS})(?:,? (?:made |built |developed |trained |created )(?:by|from) {_MODEL_MAKERS}"
    rf"| ?\((?:by |from )?{_MODEL_MAKERS}\)| (?:by |from ){_MODEL_MAKERS}"
    r"|(?=,? (?:an? )?(?:AI|language|LLM) (?:model|assistant)))"
    rf"|(?:(?<=OpenAI's )|(?<=Anthropic's )|(?<=Google's )|(?<=Meta's ))(?:{_WORDS})"
)
# what may follow a model's name: "GPT-4o-mini", "DeepSeek R1", "Qwen_2.5"; it never ends in a dot or hyphen
_TAIL = r"(?:[-_ ]?(?:[RVvo]\d|\d)[\w.-]{0,40}(?<=[A-Za-z0-9])|-[A-Za-z][\w.-]{0,40}(?<=[A-Za-z0-9]))?"

_MAKERS = (
    "OpenAI|Open AI|Anthropic|DeepMind|Hugging ?Face|Mistral AI|Meta AI|Google AI|Moonshot AI|Zhipu AI|Alibaba Cloud|"
    "Tongyi|xAI|Cohere AI|Perplexity AI|Nous Research|EleutherAI|Stability AI|AI21 Labs"
)
# "I was trained by Acme": the named maker is covered, the sentence stays.
_I_WAS = (
    r"(?:I was|I am|I['’ʼ]ve been|I have been|(?:language|AI) model|(?:AI|virtual) assistant|[Cc]hatbot|LLM|an AI)\b"
    r"[\w ,']{0,30}?"
)
_MADE = r"(?:trained|developed|created|built|made|fine-tuned|designed) by "

_AI = (
    r"(?:ai|a\.i\.|artificial intelligence|large language model|language model|llm|chatbot|"
    r"(?:virtual|digital) assistant)"
)
_ENGLISH = (
    rf"(?:as|(?:since |because )?i am|i['’ʼ]m|im|being)(?: just| only| merely)? an? (?:helpful |large |trained )?{_AI}"
    rf"{_END}(?: (?:language )?(?:model|assistant|system|program))?"
    rf"|my (?:knowledge|training) (?:cut-?off|data){_END}|as of my (?:last|latest) (?:update|training){_END}"
)
# The same in other languages of the Latin alphabet; the plain form has no accents.
_LATIN = (
    r"(?:als|ich bin)(?: nur)?(?: eine?m?)?(?: grosses| gro(?:ß|s)es| reines)? "
    r"(?:ki-(?:sprachmodell|modell|assistent|system)|ki|kunstliche intelligenz|sprachmodell)"
    r"|(?:en tant qu(?:e |['’ ]?)|je suis )(?:une? |simple |grand )*"
    r"(?:ia|intelligence artificielle|modele de langage|assistant (?:ia|virtuel))"
    r"|(?:como|soy|sou)(?: una?| uma?)?(?: gran| grande)? (?:modelo de (?:lenguaje|linguagem)|ia|"
    r"inteligencia artificial|asistente (?:de ia|virtual)|assistente (?:de ia|virtual))"
    r"|(?:in quanto|essendo|sono|come) ?(?:una? |un['’ ])?(?:modello linguistico|ia|intelligenza artificiale)"
    r"|(?:als|ik ben)(?: een)? (?:ai-model|taalmodel|kunstmatige intelligentie)"
    r"|jako (?:model jezykowy|sztuczna inteligencja)|bir yapay zeka (?:modeli )?olarak"
)
_OTHER_SCRIPTS = (
    r"(?:作为|作為|我是|身为|身為)(?:一个|一個|一款|一名|一种)?(?:由\w{1,12}(?:开发|開發|训练|訓練)的)?"
    r"(?:AI|人工智能|人工智慧|大?型?语言模型|大?型?語言模型|智能助手)(?:语言模型|語言模型|助手|模型)?"
    r"|(?:由|被)\w{1,12}(?:开发|開發|训练|訓練|研发)的(?:AI|人工智能|语言模型|模型|助手)"
    r"|(?:私は|わたしは|僕は)?(?:AI|人工知能|大?規?模?言語モデル)(?:アシスタント|モデル)?(?:として|です|なので)"
    r"|(?:저는|나는) ?(?:AI|인공지능|언어 ?모델)|(?:AI|인공지능|언어 ?모델)(?:으)?로서"
    r"|(?:[Кк]ак|[Яя],?(?: [—–-])?(?: всего лишь| просто| являюсь)?) (?:большая )?"
    r"(?:языков(?:ая|ой) модел(?:ь|ью)|ИИ|искусственный интеллект|нейросеть|чат-бот)(?!\w)"
    r"|(?:ك|أنا )?نموذج لغوي|एक (?:एआई|भाषा) मॉडल के रूप में"
    r"|文心一言|通义千问|通義千問|讯飞星火|豆包|混元大?模型|智谱清言"
)
# How a speaker introduces itself; only together with a name of a model does it count.
_SELF = (
    r"i am|i['’ʼ]m|my name is|call me|ich bin|ich heisse|mein name ist|je suis|je m['’]appelle|mon nom est|soy|"
    r"me llamo|sou|meu nome e|sono|mi chiamo|ik ben|jestem|我是|我叫|我的名字是|私は|저는|я|меня зовут"
)

# Marks of chat templates and turns: <|im_start|>, [INST], "Assistant:" at the start of a line.
_CHAT = (
    r"<[|｜][^|｜<>\n]{3,60}[|｜]>(?:(?:assistant|user|system|tool)\b)?|\[/?INST\]|\[/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\]|"
    r"<</?SYS>>|<(?:start|end)_of_(?:turn|text|image)>|<(?:extra_id|reserved|unused)_?\d{1,4}>|◁/?think▷|"
    r"(?i:</?(?:s|bos|eos|unk|pad|mask|think|thinking|thought|scratchpad|reasoning|reflection|answer|assistant|system|"
    r"user|human|tool_call|tool_response|function_calls?|seed:think|begin_of_thought|end_of_thought)>)|"
    r"(?im:^[ \t]{0,3}(?:#{1,4}[ \t]?|\*\*)?(?:ai assistant|assistant|human|user|chatbot)(?:\*\*)?[ \t]{0,3}:(?![=:]))|"
    r"(?im:^[ \t]{0,3}#{1,4}[ \t]?(?:instruction|response|system|model)[ \t]{0,3}:[ \t]*$)|"
    r"(?im:^(?:system|model|ai|bot)[ \t]{0,3}:[ \t]*$)"  # "System: 2x + y = 3" is mathematics
)
# A bare "monday.com" is a company; with a path it is an address.
_LINK = (
    r"(?i:(?:https?|ftp|wss?)://|\bwww\.)[^\s<>\"'\]})]+(?<![.,;:!?])"
    r"|(?<![\w@./\\-])(?i:(?:[a-z0-9-]{1,40}\.){1,3}(?:com|org|edu|gov|net|io|ai|dev|co|me|app|gg|de|uk|fr|cn|eu|ch))"
    r"/[^\s<>\"'\]})]+(?<![.,;:!?])"
)
_ADDRESS = (
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
    r"|(?<![\w.+-])[\w.+-]{1,64} ?[\[(] ?at ?[\])] ?[\w-]{1,63}(?: ?[\[(] ?dot ?[\])] ?|\.)[\w-]{2,63}"
)
# Never beside an operator: 123-456-7890 may be a subtraction.
_PHONE = (
    r"(?<![\w.+*/^=-])(?<![=+*/^] )\+[1-9]\d{0,2}(?:[ .-]?\(?\d{2,4}\)?){2,4}[ .-]\d{2,6}(?![\w^*/=])(?! ?[=+*/^-])"
    r"|(?<![\w.)=+*/^-])(?<![=+*/^-] )\(\d{3}\) ?\d{3}-\d{4}(?![\w^*/=])"
    r"|(?<![\w.=+*/^()-])(?<![=+*/^-] )\d{3}[-.]\d{3}[-.]\d{4}(?![\w^*/=()-]| ?[=+*/^])"
    r"|(?i:\b(?:phone|telephone|tel|mobile|whatsapp|fax)\.?[ \t]?(?:number|no\.?)?[ \t]?:?[ \t])"
    r"\+?\(?\d(?:[ ().-]?\d){6,14}(?!\d)"
)
# Not a decorator at the beginning of a line, and no product of matrices.
_HANDLE = r"(?<![\w@./\\])(?<!\n)(?<!^)(?<=[\s(:,])@[A-Za-z_][\w.]{2,30}(?<=\w)(?![\w(]|\.\w)|(?<![\w/])/u/[\w-]{3,20}"
# Keys by the prefixes of their issuers; the lengths are bounded so that each pattern stays linear.
_CREDENTIAL = (
    r"(?<![\w-])(?:sk|rk|pk)-[A-Za-z0-9_-]{20,200}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,255}|"
    r"\bgithub_pat_\w{22,255}|\bhf_[A-Za-z0-9]{30,60}\b|\bxox[abprs]-[A-Za-z0-9-]{10,200}|\bAIza[0-9A-Za-z_-]{35}|"
    r"\bgsk_[A-Za-z0-9]{30,60}|\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}|"
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
)
_PERSON = r"[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){0,3}"
# "Author: Jane Doe" and a name under "Best regards".
_SIGNED = (
    r"(?im:^[ \t]{0,8}(?:author|written by|solution by|solved by|submitted by|prepared by|annotator|contact)"
    rf"[ \t]{{0,3}}:[ \t]{{0,3}})(?P<signed>{_PERSON})"
    r"|(?im:^[ \t]{0,8}(?:(?:best|kind|warm)? ?regards|sincerely|cheers|yours truly),?[ \t]*\n{1,2}[ \t]{0,8})"
    rf"(?P<undersigned>{_PERSON})"
)

# What is covered is the named group, its lead stays. What each of them cannot do without stands in hints.py.
SIGNS = (
    rf"(?P<secret>{_CREDENTIAL})",
    rf"(?P<link>{_LINK})",
    rf"(?P<address>{_ADDRESS})",
    rf"(?P<token>{_CHAT})",
    rf"(?P<author>{_START}(?i:{_ENGLISH}|(?:{_LATIN}){_END}))",
    rf"{_START}(?i:{_SELF})(?: called| named)?[ :]{{0,2}}"
    rf"(?P<said>(?:(?:{_WORDS})|(?i:{_MODELS}|gpt)){_TAIL}){_END}",
    rf"{_START}(?i:as|als|en tant que|como|come|jako) (?P<as>(?:{_WORDS}){_TAIL})"
    r"(?=, (?:I|ich|je|yo|eu|io|ik)\b|,? (?:made|built|developed|trained|created))",
    rf"{_START}{_I_WAS}{_MADE}(?P<made>[A-Z][\w-]{{1,40}})",
    rf"(?P<model>{_START}(?:(?i:(?:{_MODELS}){_TAIL}|{_GPT})|{_WORD_MODEL}|{_WORD_NAMED}){_END})",
    rf"(?P<maker>{_START}(?:{_MAKERS}){_END})",
    rf"(?P<phone>{_PHONE})",
    rf"(?P<handle>{_HANDLE})",
    _SIGNED,
)
FINDS = re.compile("|".join(SIGNS), re.ASCII)  # read once over the plain form
# Read over the text as it is: in the plain form these letters would have become Latin ones.
OTHER_SCRIPTS = re.compile(rf"(?P<author>{_OTHER_SCRIPTS})")
