// Guides and legal texts are in every language: the same sections, code and links, each in a file beside the English one.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { handbook } from '../../site/src/lib/documents.ts'
import { FALLBACK, LANGUAGES } from '../../src/contract/languages.ts'

const FENCED = /^```[^\n]*\n[\s\S]*?^```$/gm
const isTranslated = /\.[a-z]{2}\.md$/
const files = globSync('content/{docs,pages}/*.md')
/** The handbook of operators is in English alone. */
const inEnglish = new Set(handbook.map(({ name }) => `content/docs/${name}.md`))
const originals = files.filter((path) => !isTranslated.test(path) && !inEnglish.has(path))
const others = LANGUAGES.filter((language) => language !== FALLBACK)

const all = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, found = '']) => found)
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** What does not depend on the language. */
function partsOf(path: string) {
  const text = readFileSync(path, 'utf8')
  const prose = text.replace(FENCED, '')
  return {
    blocks: text.match(FENCED) ?? [],
    headings: all(prose, /^(#+) /gm),
    code: [...new Set(all(prose, /`([^`\n]+)`/g))].sort(),
    links: all(prose, /\]\(([^#)][^)]*)\)/g).sort(),
    names: all(prose, /\{([a-z_]+)\}/g).sort(),
  }
}

describe('guides and legal texts', () => {
  for (const language of others)
    it(`are there in ${language}, with the same sections, code and links`, () => {
      assert.ok(originals.length >= 10, `${originals.length} texts`)
      for (const path of originals) {
        const translated = path.replace(/\.md$/, `.${language}.md`)
        assert.ok(existsSync(translated), `${translated} is missing`)
        assert.deepEqual(partsOf(translated), partsOf(path), translated)
      }
    })

  it('have an original, and no language that the product does not have', () => {
    const wanted = [
      ...inEnglish,
      ...originals.flatMap((path) => [path, ...others.map((language) => path.replace(/\.md$/, `.${language}.md`))]),
    ]
    assert.deepEqual(files.toSorted(), wanted.toSorted())
  })

  it('lead to headings of their own that are there', () => {
    for (const path of files) {
      const text = readFileSync(path, 'utf8')
      const headings = new Set(all(text, /^#+ (.+)$/gm).map(slug))
      for (const name of all(text, /\]\(#([^)]+)\)/g)) assert.ok(headings.has(name), `${path} has no #${name}`)
    }
  })
})
