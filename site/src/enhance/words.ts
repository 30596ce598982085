// The words of the script, in the language of the page, which hands them over (lib/language/script-words.ts).
import type { ScriptWord } from '../lib/language/script-words.ts'

type Values = Readonly<Record<string, string | number>>

const { lang } = document.documentElement
/** Of numbers and dates: English dates have the day first, as on the pages. */
export const locale = lang === 'en' ? 'en-GB' : lang

/** A sentence with its values put in; `count` chooses its plural. */
export function word(name: ScriptWord, values: Values = {}): string {
  const count = Number(values['count'])
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-words]')) {
    const text = JSON.parse(dataset['words'] ?? '')[name]
    const form: string | undefined = text?.[new Intl.PluralRules(lang).select(count)] ?? text
    if (form !== undefined)
      return form.replace(/\{(\w+)\}/g, (_, key) => {
        const value = values[key]
        return typeof value === 'number' ? value.toLocaleString(locale) : (value ?? '')
      })
  }
  return ''
}

/** A sentence of the API, which speaks English, in the language of the page; as it is where the server does not answer. */
export async function said(message: string): Promise<string> {
  if (lang === 'en') return message
  const response = await fetch('/refusal', { method: 'POST', body: message }).catch(() => undefined)
  return response?.ok ? response.text() : message
}
