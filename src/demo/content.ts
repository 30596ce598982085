// Reads demo/, where the content of the demo is. Its text files have entries that open with `=== title`, then fields, a body in Markdown, and
// comments that open with `--- username, 3d 2h ago`. A syntax error names the entry.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { parseJson, required } from '../runtime/untyped.ts'

const folder = fileURLToPath(new URL('../../demo/', import.meta.url))

export const readText = (path: string): Promise<string> => readFile(join(folder, path), 'utf8')

export const readJson = async <Value>(path: string): Promise<Value> => parseJson<Value>(await readText(path))

/** The entries of `demo/<name>.md`. */
export const entriesOf = async (name: string): Promise<Entry[]> => readEntries(await readText(`${name}.md`))

/** Every file of a folder by its path in it. */
export async function readFolder(path: string): Promise<Map<string, Buffer>> {
  const found = await readdir(join(folder, path), { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const start = join(folder, path).length + 1
  return new Map(
    await Promise.all(
      files.sort().map(async (file) => [file.slice(start).replaceAll('\\', '/'), await readFile(file)] as const),
    ),
  )
}

/** An SVG of the folder as a PNG. */
export async function readPicture(path: string, width: number): Promise<File> {
  const png = await sharp(join(folder, path)).resize({ width }).png().toBuffer()
  return new File([new Uint8Array(png)], path.replace(/^.*\/|\.svg$/g, '').concat('.png'), { type: 'image/png' })
}

interface Comment {
  by: string
  ago: string
  body: string
}

export interface Entry {
  title: string
  body: string
  comments: Comment[]
  /** A field that has to be there. */
  get(name: string): string
  find(name: string): string | undefined
  /** The parts of a field, with `separator` between them; none when it is absent. */
  list(name: string, separator: string): string[]
}

const COMMENT = /^--- ([\w-]+), ([\w ]+) ago$/m
const FIELD = /^(\w+): (.+)$/

function readEntries(text: string): Entry[] {
  const [, ...parts] = `\n${text}`.split(/\n=== /)
  return parts.map(readEntry)
}

function readEntry(text: string): Entry {
  const [opening = '', ...said] = text.split(COMMENT)
  const [title = '', ...lines] = opening.split('\n')
  const end = lines.findIndex((line) => !FIELD.test(line))
  const fields = new Map(
    lines.slice(0, end).map((line): [string, string] => {
      const [, name = '', value = ''] = FIELD.exec(line) ?? []
      return [name, value]
    }),
  )
  const find = (name: string) => fields.get(name)
  const comments: Comment[] = []
  for (let at = 0; at < said.length; at += 3) {
    comments.push({ by: required(said[at]), ago: required(said[at + 1]), body: required(said[at + 2]).trim() })
  }
  return {
    title,
    body: lines.slice(end).join('\n').trim(),
    comments,
    find,
    get(name) {
      const value = find(name)
      if (value === undefined) throw new Error(`${title}: has no field ${name}`)
      return value
    },
    list: (name, separator) =>
      find(name)
        ?.split(separator)
        .map((part) => part.trim()) ?? [],
  }
}
