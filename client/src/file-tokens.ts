// Tokens in a file that only its owner can read. Processes that share it take turns.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from './replace-file.ts'
import type { Tokens } from './token-endpoint.ts'
import type { TokenStore } from './tokens.ts'
import { isCode, takingTurns } from './turns.ts'

/** A store in the file at `path`; its folder is made if it is not there. */
export function fileTokens(path: string): TokenStore {
  return {
    async read() {
      try {
        return JSON.parse(await readFile(path, 'utf8')) as Tokens
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    async write(tokens) {
      if (!tokens) return rm(path, { force: true })
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await replaceFile(path, `${JSON.stringify(tokens, null, 2)}\n`, 0o600)
    },
    async lock(body) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return takingTurns(`${path}.lock`, body)
    },
  }
}
