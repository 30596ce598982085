// Why a sign-in with an external account did not succeed, by the code of the refusal.
import type { SiteWords } from '#lib/language/catalogue.ts'

const codes = ['blocked', 'conflict', 'forbidden', 'reauthentication_required', 'rate_limited'] as const

export const externalWords = (t: SiteWords, code: string, name: string): string =>
  t(`auth.external.${codes.find((known) => known === code) ?? 'other'}`, { name })
