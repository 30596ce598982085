// What a file is known by.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isCode } from '../../client/src/turns.ts'

/** The hash of a file in hex; undefined where there is none. */
export async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}
