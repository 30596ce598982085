// Tokens as a model counts them: o200k_base, which the models of OpenAI have since 2024.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

export const tokensOf = (text: string): number => countTokens(text)
