// The words of settings: what each is called, and what its choices are.
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'

export const settingLabel = (t: SiteWords, name: string): string => wordOf(t, `admin.settings.label.${name}`) ?? name

/** A value as people read it: a choice by its words, any other text as it is. */
export function settingValue(t: SiteWords, name: string, value: string): string {
  const own = wordOf(t, `admin.settings.choice.${name}.${value.replaceAll('-', '_')}`)
  if (own !== undefined) return own
  return value === 'on' || value === 'off' ? t(`admin.settings.choice.${value}`) : value
}
