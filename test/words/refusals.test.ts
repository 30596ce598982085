// Errors of the API in German: every sentence that the code can refuse with is in the catalogue, unless programs alone read it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { wordsIn } from '../../site/src/lib/language/catalogue.ts'
import { refusalIn, refusalNamed } from '../../site/src/lib/language/refusals.ts'

/** Protocols between programs, and the surfaces of HTTP: a page of the site never shows their errors. */
const FOR_PROGRAMS = [
  ...['src/surfaces', 'src/transparency', 'src/library/statements', 'src/oauth', 'src/request', 'src/outgoing'],
  ...[
    'src/workers',
    'src/budgets/keys.ts',
    'src/budgets/dry-runs.ts',
    'src/budgets/bounds.ts',
    'src/content/notifications/streams.ts',
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

it('A sentence is said in the language of the reader, with what it names', () => {
  const german = wordsIn('de')
  assert.equal(refusalIn(wordsIn('en'), 'Anything at all'), 'Anything at all')
  assert.equal(refusalIn(german, 'it is taken; choose another'), 'ist vergeben; wähle einen anderen')
  assert.equal(refusalIn(german, 'must have at least 3 characters'), 'muss mindestens 3 Zeichen haben')
  assert.equal(refusalIn(german, 'There is a label named <b>{x} already'), 'Ein Label namens <b>{x} gibt es schon')
  assert.equal(refusalIn(german, 'A sentence of later', 404), 'Das gibt es nicht oder nicht mehr.')
  assert.equal(refusalIn(german, 'A sentence of later'), 'A sentence of later')
})
