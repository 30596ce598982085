// The words for rules and decisions of moderation, as the choices of fields.
import { type Decision, moderationRules } from '../../../src/contract/kinds.ts'
import { type SiteWords, wordOf } from './language/catalogue.ts'

export const ruleOptions = (t: SiteWords) =>
  moderationRules.map((value) => ({ value, label: t(`moderation.rule.${value}`) }))

/** Mild ones first: a form begins with the first. */
const ORDER = [
  'dismiss',
  'approve',
  'hide',
  'delete',
  'warn',
  'block',
  'remove_all',
] as const satisfies readonly Decision[]

export const decisionOptions = (t: SiteWords) =>
  ORDER.map((value) => ({ value, label: t(`moderation.decision.${value}`) }))

/** What a thing is called in a sentence, such as "bug". */
export const typeWord = (t: SiteWords, type: string): string => wordOf(t, `moderation.type.${type}`) ?? type
