// Bounds of what an app may do, in words.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { type GrantBounds, presets, type ThingKind, writeKindsOf } from '../../../../src/contract/bounds.ts'

const listOf = (t: SiteWords, kinds: readonly ThingKind[]) =>
  t.list(writeKindsOf(kinds).map((kind) => t(`settings.thing.${kind}`)))

/** What waits for a yes where one is asked before something is published. */
export const publishedKinds = (t: SiteWords): string => listOf(t, presets.ask.ask)

/** What bounds say, a sentence each. */
export function boundSentences(t: SiteWords, { calls, writes, bytes, kinds, ask, until }: GrantBounds): string[] {
  const named = (names: readonly ThingKind[]) => listOf(t, names)
  const onlyKinds =
    kinds && (kinds.length > 0 ? t('oauth.bounds.kinds', { kinds: named(kinds) }) : t('oauth.bounds.nothing'))
  const said = [
    onlyKinds,
    ask && ask.length > 0 && t('oauth.bounds.asks', { kinds: named(ask) }),
    writes !== undefined && t('oauth.bounds.writes', { count: t.number(writes) }),
    calls !== undefined && t('oauth.bounds.calls', { count: t.number(calls) }),
    bytes !== undefined && t('oauth.bounds.bytes', { size: t.storage(bytes) }),
    until && t('oauth.bounds.ends', { day: t.day(until) }),
  ]
  return said.filter((one) => typeof one === 'string')
}
