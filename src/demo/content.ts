// Reads demo/, where the content of the demo is.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { parseJson } from '../runtime/untyped.ts'
import { type Entry, readEntries } from './entries.ts'

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
