// Stacks of errors in the server that was built into a few files (start/built-server.ts), with the places of its sources. A build has a map
// beside each file, which is read when an error is logged: 36 MB, which are free again when memory is needed.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACE = /(file:\/\/\S+?\.js):(\d+):(\d+)/g

const maps = new Map<string, WeakRef<SourceMap>>()

/** A stack whose places in a build are those in the sources; places elsewhere stay as they are. */
export const sourceStack = (stack: string): string =>
  stack.replace(PLACE, (place, ...[url = '', line, column]: string[]) => {
    const found = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return place
    const path = resolve(dirname(fileURLToPath(url)), found.originalSource)
    return `${path}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })

function mapOf(url: string): SourceMap | undefined {
  const kept = maps.get(url)?.deref()
  if (kept) return kept
  const map = readMap(url)
  if (map) maps.set(url, new WeakRef(map))
  return map
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')))
  } catch {
    // A file that was not built.
    return undefined
  }
}
