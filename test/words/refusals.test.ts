// Errors of the API in German: every sentence that the code can refuse with is in the catalogue, unless programs alone read it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { wordsIn } from '../../site/src/lib/language/catalogue.ts'
import { refusalIn, refusalNamed } from '../../site/src/lib/language/refusals.ts'

/** Protocols between programs, the surfaces of HTTP, and the calls behind them: a page of the site never shows their errors. */
const FOR_PROGRAMS = [
  ...[
    'src/content/webhooks/event-handlers',
    'src/surfaces',
    'src/core',
    'src/transparency',
    'src/library/statements',
    'src/library/clawhub',
    'src/library/marketplace',
    'src/library/mcp-registry',
    'src/oauth',
    'src/request',
    'src/outgoing',
  ],
  ...[
    'src/workers',
    'src/budgets/keys.ts',
    'src/budgets/keys.ts',
    'src/budgets/bounds.ts',
    'src/content/notifications/streams.ts',
    'src/accounts/chat/serving.ts',
  ],
  'src/content/pending/asking.ts',
]

/** `new Problem('code', 'sentence'` or with a template; a sentence that is made elsewhere is compared where it is made. */
const REFUSAL = /new Problem\(\s*'\w+',\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g

const sentences = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts') && !FOR_PROGRAMS.some((place) => path.startsWith(place)))
  .flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(REFUSAL)].map(([, text, template]) => ({
      path,
      sentence: (text ?? template ?? '').replace(/\$\{[^}]*\}+/g, '7').replace(/^(?:[a-z]\w*|7)(?:, \w+)*: /, ''),
    })),
  )

it('A sentence that refuses is in the catalogue (messages/refusals)', () => {
  assert.ok(sentences.length > 120, `${sentences.length} sentences`)
  const missing = sentences.filter(({ sentence }) => sentence !== '7' && !refusalNamed(sentence))
  assert.deepEqual(missing, [])
})

/** `reason: 'sentence'` or with a template, as the scan says what it finds. */
const REASON = /reason(?::|\s=)\s*(?:'([^']*)'|`([^`]*)`)/g

it('What the scan of items finds is in the catalogue too', () => {
  const reasons = globSync('src/library/scanning/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(REASON)])
    .map(([, text, template]) => text ?? (template ?? '').replace(/\$\{[^}]*\}/g, '7'))
  assert.ok(reasons.length > 25, `${reasons.length} reasons`)
  const made = ['name', 'slug'].flatMap((what) =>
    ['is that of', 'looks like that of'].map((how) => `the ${what} ${how} org/a, which is another owner's`),
  )
  const missing = [...reasons, ...made].filter((reason) => !reason.startsWith('the 7') && !refusalNamed(reason))
  assert.deepEqual(missing, [])
})

it('Errors on the pages of the authorization server are in the catalogue', () => {
  const places = ['src/oauth/consent/authorize.ts', 'src/oauth/consent/sign-in.ts', 'src/oauth/device/page.ts']
  const said = places
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/(?:return|message :|WRONG =) ['`]([A-Z][^'`]{20,})['`]/g),
    ])
    .map(([, text = '']) => text.replace(/\$\{[^}]*\}/g, '7').replace(/\.$/, ''))
  assert.ok(said.length > 4, said.join('\n'))
  assert.deepEqual(
    said.filter((sentence) => !refusalNamed(sentence)),
    [],
  )
})

it('A sentence is said in the language of the reader, with what it names', () => {
  const german = wordsIn('de')
  assert.equal(refusalIn(wordsIn('en'), 'Anything at all'), 'Anything at all')
  assert.equal(refusalIn(german, 'it is taken; choose another'), 'ist vergeben; wähle einen anderen')
  assert.equal(refusalIn(german, 'must have at least 3 characters'), 'muss mindestens 3 Zeichen haben')
  assert.equal(refusalIn(german, 'There is a label named <b>{x} already'), 'Ein Label namens <b>{x} gibt es schon')
  assert.equal(refusalIn(german, 'A sentence of later', 404), 'Das gibt es nicht oder nicht mehr.')
  assert.equal(refusalIn(german, 'A sentence of later'), 'A sentence of later')
})
