// The folder of languages that an operator adds: one folder for each, named by its tag, with `language.json` (its name) and a file of messages for
// each area. It is read once, at the start. Only plain files and folders are read, within bounds, and what is wrong is said with file and message.
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AddedLanguage, type AddedLanguages, isLanguage, LANGUAGE_TAG } from '../contract/languages.ts'
import { type Comparison, compareArea, englishAreas } from '../language/added.ts'

export const languageBounds = { languages: 20, fileBytes: 300_000, name: 40 } as const

/** The name of a language: one line, without quotes and angle brackets. */
const NAME = new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}<>"\\\\]{1,${languageBounds.name}}$`, 'u')

const OWN_FILE = 'language.json'

/** What was found in the folder of a language. */
export interface ReadLanguage {
  language: AddedLanguage
  /** By area, of those that English has. */
  areas: ReadonlyMap<string, Comparison>
  /** One sentence for each thing that is wrong. */
  complaints: string[]
  /** Files that are not read. */
  unknown: string[]
}

/** The languages of a folder; what is wrong goes into `complaints`, one sentence each. */
export function readLanguages(folder: string, complaints: string[]): AddedLanguages {
  const entries = entriesOf(folder, complaints)
  const { languages: most } = languageBounds
  if (entries.length > most) {
    complaints.push(`LANGUAGES_DIR has ${entries.length} languages; it may have at most ${most}.`)
    return new Map()
  }
  const isFolder = (entry: Dirent) =>
    entry.isDirectory() || refuse(complaints, `${join(folder, entry.name)} is not a folder of a language; remove it.`)
  const read = entries.filter(isFolder).map(({ name }) => readLanguage(join(folder, name)))
  complaints.push(...read.flatMap((one) => one.complaints))
  return new Map(read.map(({ language }) => [language.tag, language]))
}

/** What a folder holds, by name; names that begin with a dot are those of other programs. */
function entriesOf(folder: string, complaints: string[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch {
    complaints.push(`${folder} cannot be read; it must be a folder with a folder for each language.`)
    return []
  }
}

/** Reads the folder of one language, such as `languages/fr`. */
export function readLanguage(folder: string): ReadLanguage {
  const tag = basename(folder)
  const complaints: string[] = []
  const found: ReadLanguage = { language: { tag, name: tag, texts: {} }, areas: new Map(), complaints, unknown: [] }
  if (isLanguage(tag)) complaints.push(`${folder} is a language that Guildhall has; remove it.`)
  if (!LANGUAGE_TAG.test(tag) || Intl.getCanonicalLocales(tag)[0] !== tag)
    complaints.push(`${folder} is not named by the tag of a language; name it fr, pt-BR or zh-Hant, for example.`)
  if (complaints.length > 0) return found
  const areas = new Map<string, Comparison>()
  const texts: Record<string, string> = {}
  let name: string | undefined
  for (const entry of entriesOf(folder, complaints)) {
    const path = join(folder, entry.name)
    const area = entry.name.endsWith('.json') ? entry.name.slice(0, -'.json'.length) : ''
    const isArea = englishAreas().has(area)
    if (entry.name !== OWN_FILE && !isArea) {
      found.unknown.push(entry.name)
      continue
    }
    const content = objectIn(path, entry, complaints)
    if (content === undefined) continue
    if (entry.name === OWN_FILE) name = nameIn(path, content, complaints)
    else areas.set(area, take({ area, path, content, texts, complaints }))
  }
  if (name === undefined && !complaints.some((sentence) => sentence.startsWith(join(folder, OWN_FILE))))
    complaints.push(
      `${join(folder, OWN_FILE)} is missing; write {"name": "Français"} into it, the language in its own words.`,
    )
  return { ...found, language: { tag, name: name ?? tag, texts }, areas }
}

/** The object of a plain file of JSON. */
function objectIn(path: string, entry: Dirent, complaints: string[]): Record<string, unknown> | undefined {
  if (!entry.isFile()) return refuse(complaints, `${path} is not a plain file; put the file itself there.`)
  const { fileBytes } = languageBounds
  if (statSync(path).size > fileBytes) return refuse(complaints, `${path} has more than ${fileBytes} bytes.`)
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  } catch {
    // Said below.
  }
  return refuse(complaints, `${path} is not a JSON object.`)
}

function refuse(complaints: string[], sentence: string): undefined {
  complaints.push(sentence)
}

function nameIn(path: string, { name }: Record<string, unknown>, complaints: string[]): string | undefined {
  if (typeof name === 'string' && NAME.test(name)) return name
  return refuse(
    complaints,
    `${path} has no name; write {"name": "Français"} into it, with at most ${languageBounds.name} characters.`,
  )
}

interface AreaFile {
  area: string
  path: string
  content: Record<string, unknown>
  texts: Record<string, string>
  complaints: string[]
}

/** Takes the messages of an area into the texts of the language. */
function take({ area, path, content, texts, complaints }: AreaFile): Comparison {
  const compared = compareArea(area, content)
  for (const { name, reason } of compared.wrong) complaints.push(`${path}: ${name} ${reason}.`)
  for (const [name, text] of Object.entries(compared.texts)) texts[`${area}.${name}`] = text
  return compared
}
