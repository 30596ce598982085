// The choice of a language, the words of one, and numbers and dates as it writes them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectedOf } from './added.ts'
import { directionOf, languageOf, negotiated } from './choice.ts'
import { catalogueOf, formatsOf, type Message, speaker } from './words.ts'

describe('the language of a reader', () => {
  it('is what Accept-Language prefers, by weight and then by order', () => {
    const cases: [string | null, string | undefined][] = [
      [null, undefined],
      ['', undefined],
      ['de', 'de'],
      ['de-AT', 'de'],
      ['DE-at,en;q=0.5', 'de'],
      ['en,de', 'en'],
      ['en;q=0.8,de;q=0.9', 'de'],
      ['fr,de;q=0.3', 'de'],
      ['fr', undefined],
      ['*', 'en'],
      ['en;q=0,*', 'de'],
      ['de;q=0', undefined],
      ['de;q=0.0,en;q=0.1', 'en'],
      ['de;q=2', undefined],
      ['de;q=x,en', 'en'],
      ['d e', undefined],
      [`${'fr,'.repeat(19)}de`, 'de'],
      [`${'fr,'.repeat(20)}de`, undefined],
    ]
    for (const [header, language] of cases) assert.equal(negotiated(header), language, `${header}`)
  })

  it('may be one that the operator added, by its tag or the beginning of a range', () => {
    const added = new Map(['fr', 'pt-BR', 'zh-Hant'].map((tag) => [tag, { tag, name: tag, texts: {} }]))
    const cases: [string, string | undefined][] = [
      ['fr-CA, de;q=0.9', 'fr'],
      ['PT-br', 'pt-BR'],
      ['pt', undefined],
      ['zh-Hant-TW, en;q=0.5', 'zh-Hant'],
      ['zh-Hans, de;q=0.5', 'de'],
      ['en;q=0, de;q=0, *', 'fr'],
      ['en;q=0, de-AT;q=0, fr;q=0, *', 'pt-BR'],
    ]
    for (const [header, language] of cases) assert.equal(negotiated(header, added), language, header)
    assert.equal(languageOf({ account: 'fr', acceptLanguage: 'de', added }), 'fr')
    assert.equal(languageOf({ account: 'fr', acceptLanguage: 'de' }), 'de')
  })

  it('is that of the account, then of the cookie, then of the browser, then English', () => {
    assert.equal(languageOf({ account: 'de', cookie: 'en', acceptLanguage: 'en' }), 'de')
    assert.equal(languageOf({ account: null, cookie: 'de', acceptLanguage: 'en' }), 'de')
    assert.equal(languageOf({ cookie: 'tlh', acceptLanguage: 'de' }), 'de')
    assert.equal(languageOf({ acceptLanguage: 'fr' }), 'en')
  })

  it('has a direction', () => {
    assert.deepEqual(['en', 'de', 'ar', 'he-IL', 'fa', 'az', 'az-Arab', 'ckb'].map(directionOf), [
      'ltr',
      'ltr',
      'rtl',
      'rtl',
      'rtl',
      'ltr',
      'rtl',
      'rtl',
    ])
  })
})

interface Messages {
  'a.plain': Message
  'a.count': Message<{ count: number; name: string }>
  'a.rich': Message<{ name: string }, 'link'>
}
const area = {
  en: {
    plain: 'Hi',
    count: '{count, plural, one {# reply} other {# replies}} of {name}',
    rich: 'See <link>{name}</link>.',
  },
  de: {
    plain: 'Hallo',
    count: '{count, plural, one {# Antwort} other {# Antworten}} von {name}',
    rich: 'Siehe <link>{name}</link>.',
  },
}
const wordsIn = speaker<Messages>(catalogueOf({ a: area }))

describe('the words of a language', () => {
  it('have plurals and numbers of the language, and variables as they are', () => {
    const [english, german] = [wordsIn('en'), wordsIn('de')]
    assert.equal(english('a.plain'), 'Hi')
    assert.equal(english('a.count', { count: 1, name: '<b>{x}</b>' }), '1 reply of <b>{x}</b>')
    assert.equal(german('a.count', { count: 1234, name: 'x' }), '1.234 Antworten von x')
    assert.equal(wordsIn('de'), german)
  })

  it('have parts where a message has tags', () => {
    const parts = ['Siehe ', { tag: 'link', text: '<i>' }, '.']
    assert.deepEqual(wordsIn('de').parts('a.rich', { name: '<i>' }), parts)
  })

  it('have no message that is not there', () => {
    // @ts-expect-error
    assert.throws(() => wordsIn('de')('a.none'), /no message a\.none/)
  })

  it('tell TypeScript what a message expects', () => {
    const { values, tags } = expectedOf(
      '{n, plural, one {#} other {<b>{who}</b>}} {as, select, a {x} b {y} other {z}} {size, number}',
    )
    assert.deepEqual(Object.fromEntries(values), {
      n: 'number',
      who: 'string | number',
      as: "'a' | 'b' | string",
      size: 'number',
    })
    assert.deepEqual([...tags], ['b'])
    assert.throws(() => expectedOf('{at, date}'))
    assert.throws(() => expectedOf('{open'))
    assert.throws(() => expectedOf('<a>{a}</a>'), /a names a variable and a tag/)
  })
})

describe('formats', () => {
  it('are those of the language', () => {
    const at = '2026-11-21T09:30:00.000Z'
    const now = Date.parse('2026-11-21T12:30:30.000Z')
    const shown = (['en', 'de'] as const)
      .map(formatsOf)
      .map((format) => [
        ...[format.number(1234.5), format.short(1299), format.short(12_900), format.percent(0.5)],
        ...[format.dollars(2.5), format.dollars(100), format.dollars(0.0005)],
        ...[format.day(at), format.exact(at), format.ago(at, now), format.ago('2026-01-01T00:00:00.000Z', now)],
        format.list(['a', 'b', 'c']),
      ])
    const plain = shown.map((texts) => texts.map((text) => text.replace(/[\u00a0\u202f]/g, ' ')))
    assert.deepEqual(plain, [
      [
        '1,234.5',
        '1.2k',
        '12k',
        '50%',
        '$2.50',
        '$100',
        '$0.0005',
        '21 Nov 2026',
        '21 Nov 2026, 09:30:00 UTC',
        '3 hours ago',
        '1 Jan 2026',
        'a, b and c',
      ],
      [
        '1.234,5',
        '1299',
        '12.900',
        '50 %',
        '2,50 $',
        '100 $',
        '0,0005 $',
        '21. Nov. 2026',
        '21. Nov. 2026, 09:30:00 UTC',
        'vor 3 Stunden',
        '1. Jan. 2026',
        'a, b und c',
      ],
    ])
  })

  it('cut times that are past, and round times ahead', () => {
    const now = Date.parse('2026-11-21T12:00:00.000Z')
    const { ago } = formatsOf('en')
    const shown = (seconds: number) => ago(new Date(now + seconds * 1_000).toISOString(), now)
    const day = 86_400
    assert.deepEqual(
      [14 * day - 5, 1.4 * day, 1.6 * day, 3_599, 3 * 3_600 - 1, 59, 28 * day - 1, 27.4 * day].map(shown),
      [
        ...['in 14 days', 'in 1 day', 'in 2 days', 'in 1 hour', 'in 3 hours', 'in 59 seconds'],
        ...['19 Dec 2026', 'in 27 days'],
      ],
    )
    assert.deepEqual([-(14 * day - 5), -1.6 * day, -3_599, -59].map(shown), [
      '13 days ago',
      '1 day ago',
      '59 minutes ago',
      '59 seconds ago',
    ])
  })

  it('write sizes in the unit that fits', () => {
    const { bytes, storage } = formatsOf('en')
    const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
    assert.deepEqual(
      [0, 1, 831, 999, 1000, 12_345, 3_400_000].map((size) => plain(bytes(size))),
      [...['0 bytes', '1 byte', '831 bytes', '999 bytes', '1 kB', '12 kB', '3.4 MB']],
    )
    assert.deepEqual(
      [0, 1536, 1_048_577, 2 * 1024 ** 3].map((size) => plain(storage(size))),
      ['0 bytes', '1.5 kB', '1.1 MB', '2 GB'],
    )
  })
})
