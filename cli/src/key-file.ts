// The key for signing versions, as it is kept: a file with mode 0600.
import { createPrivateKey, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isCode } from '../../client/src/turns.ts'

export interface KeyFile {
  server: string
  id: string
  public_key: string
  /** PKCS #8 in PEM. */
  private_key: string
}

/** The key at a path; undefined where there is none. */
export async function findKeyFile(path: string): Promise<KeyFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as KeyFile
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The signature of a message, in base64. */
export const signWith = ({ private_key }: KeyFile, message: Uint8Array): string =>
  sign(null, message, createPrivateKey(private_key)).toString('base64')
