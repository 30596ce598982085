// What the audit log keeps beside an act, in words: `Status: Open → Resolved`. What has no words here is shown as the log has it.
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { boundSentences } from '#lib/ui/bounds.ts'

type Detail = Record<string, unknown>

/** What says how the value of a field is written; a word of another version stays as it is. */
const values: Readonly<Record<string, (t: SiteWords, value: string) => string | undefined>> = {
  status: stateOf,
  severity: stateOf,
  visibility: stateOf,
  from: stateOf,
  to: stateOf,
  role: (t, value) => wordOf(t, `teams.role.${value}`),
  rule: (t, value) => wordOf(t, `moderation.rule.${value}`),
  action: (t, value) => wordOf(t, `moderation.action.${value}`),
  targetType: (t, value) => wordOf(t, `moderation.type.${value}`),
  on: (t, value) => wordOf(t, `moderation.type.${value}`),
  kind: (t, value) => wordOf(t, `kinds.${value}.word`),
  content: (t, value) => wordOf(t, `admin.content.${value}`),
  operation: (t, value) => wordOf(t, `operations.${value}`),
  closes: (t, value) => value && t.list(value.split(',').map((number) => `#${number}`)),
  expiresAt: dayOf,
  eraseAt: dayOf,
  due: dayOf,
}

function stateOf(t: SiteWords, value: string): string | undefined {
  return wordOf(t, `kinds.state.${value}`)
}

function dayOf(t: SiteWords, value: string): string | undefined {
  return Number.isNaN(Date.parse(value)) ? undefined : t.day(value)
}

/** The title of what an event is about is shown beside it; the rest of the detail becomes text, with names for ids that are known. */
export function detailWords(t: SiteWords, detail: Detail | null, names: Readonly<Record<string, string>>): string[] {
  const { title: _, name: __, slug: ___, authorId: ____, from, to, ...rest } = detail ?? {}
  const facts = Object.entries(rest).map(([field, value]) => factOf(t, field, names[String(value)] ?? value))
  return [...changes(t, { from, to }, names), ...facts].filter((fact) => fact !== undefined)
}

function factOf(t: SiteWords, field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '' || isId(value)) return undefined
  return t('admin.audit.fact', { field: fieldWord(t, field), value: valueWords(t, field, value) })
}

function changes(
  t: SiteWords,
  { from, to }: { from?: unknown; to?: unknown },
  names: Readonly<Record<string, string>>,
) {
  const named = (value: unknown) => names[String(value)] ?? value
  if (from === undefined || to === undefined) return [factOf(t, 'from', named(from)), factOf(t, 'to', named(to))]
  if (!isDetail(from) || !isDetail(to)) return [change(t, 'to', { from: named(from), to: named(to) })]
  return Object.keys(to).map((field) => {
    const value = change(t, field, { from: from[field], to: to[field] })
    return t('admin.audit.fact', { field: fieldWord(t, field), value })
  })
}

const change = (t: SiteWords, field: string, { from, to }: { from: unknown; to: unknown }): string =>
  `${valueWords(t, field, from)} → ${valueWords(t, field, to)}`

const fieldWord = (t: SiteWords, field: string): string => wordOf(t, `admin.field.${field}`) ?? field

function valueWords(t: SiteWords, field: string, value: unknown): string {
  if (typeof value === 'string') return values[field]?.(t, value) ?? value
  if (typeof value === 'boolean') return value ? t('admin.yes') : t('admin.no')
  if (typeof value === 'number') return t.number(value)
  if (Array.isArray(value)) return t.list(value.map((one) => wordOf(t, `admin.field.${one}`) ?? String(one)))
  if (field === 'bounds' && isDetail(value)) return boundSentences(t, value).join('; ')
  return value === null || value === undefined ? t('admin.audit.nothing') : JSON.stringify(value)
}

/** What has no name tells a reader nothing. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
const isDetail = (value: unknown): value is Detail => typeof value === 'object' && value !== null
