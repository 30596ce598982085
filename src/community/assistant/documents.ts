// Sections of the documentation that have the words of a question: of the operator's own pages, and of the documents of the software.
import { readdir, readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { FALLBACK } from '../../contract/languages.ts'
import { inNameOf } from '../../language/named.ts'
import { stemOf } from '../../search/stem.ts'
import { wordsIn } from '../../search/words.ts'

export interface Section {
  title: string
  url: string
  text: string
}

type KnownSection = Section & { stems: ReadonlySet<string> }

const folder = new URL('../../../content/docs/', import.meta.url)
/** A section that has fewer of the words is about something else. */
const LEAST_WORDS = 3
const SECTION_LENGTH = 2_000

const stemsIn = (text: string): Set<string> =>
  new Set([...wordsIn(text)].map(({ whole }) => stemOf(whole)).filter((stem) => stem.length > 2))

/** A Markdown document in its sections, each with the title of the whole. */
function sectionsOf({ title, url, text }: Section): KnownSection[] {
  return text.split(/\n(?=## )/).map((part) => {
    const [, heading] = /^## (.+)/.exec(part) ?? []
    const named = heading ? `${title}: ${heading}` : title
    return { title: named, url, text: part.slice(0, SECTION_LENGTH), stems: stemsIn(`${named} ${part}`) }
  })
}

let known: Promise<KnownSection[]> | undefined

/** The documents of the software, in English. */
async function readOurs(): Promise<KnownSection[]> {
  const names = (await readdir(folder)).filter((name) => /^[\w-]+\.md$/.test(name)).sort()
  const all = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const url = name === 'guide.md' ? '/docs' : `/docs/${name.slice(0, -'.md'.length)}`
      return sectionsOf({ title: /^# (.+)/.exec(text)?.[1] ?? name, url, text })
    }),
  )
  return all.flat()
}

const inEnglish = (text: string | Partial<Record<string, string>>): string =>
  typeof text === 'string' ? text : (text[FALLBACK] ?? Object.values(text)[0] ?? '')

/** The sections with most of the words, the best first; a word that few of them have says most. */
export async function findSections(
  { ownPages, name }: Pick<Config, 'ownPages' | 'name'>,
  question: string,
  limit: number,
): Promise<Section[]> {
  known ??= readOurs()
  const own = ownPages.flatMap(({ slug, title, body }) =>
    sectionsOf({ title: inEnglish(title), url: `/pages/${slug}`, text: inEnglish(body) }),
  )
  const all = [...own, ...(await known)]
  const asked = stemsIn(question)
  const counts = new Map([...asked].map((stem) => [stem, all.filter(({ stems }) => stems.has(stem)).length]))
  const ranked = all.map((section) => {
    const shared = [...asked].filter((stem) => section.stems.has(stem))
    const score = shared.reduce((sum, stem) => sum + Math.log(1 + all.length / (counts.get(stem) || 1)), 0)
    return { section, shared: shared.length, score: score / Math.sqrt(10 + section.stems.size) }
  })
  return ranked
    .filter(({ shared }) => shared >= Math.min(LEAST_WORDS, asked.size))
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ section: { title, url, text } }) => ({ title: inNameOf(name, title), url, text: inNameOf(name, text) }))
}
