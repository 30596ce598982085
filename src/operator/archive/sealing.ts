// Seals an archive with a passphrase, in the format of age (age-encryption.org/v1): scrypt, and ChaCha20-Poly1305 in chunks of 64 KiB,
// whose order and end are authenticated. So `age --decrypt` opens an archive as well.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** That of the age program: about a second, and 256 MB while it lasts. */
const WORK_FACTOR = 18
const CHUNK_BYTES = 65_536
const MOST_HEADER_BYTES = 1_024
const HEADER = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d{1,2})\n[\w+/]{43}\n--- [\w+/]{43}\n/
/** What the library takes at most. */
const MOST_WORK = 20

export const LEAST_PASSPHRASE = 16

/** An archive that is refused; the message is a sentence for the operator. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export interface Sealing {
  passphrase: string
  /** The logarithm of the cost of a try of a passphrase. */
  workFactor?: number
}

/** The sealed form of bytes, as they come. */
export async function seal(
  bytes: AsyncIterable<Uint8Array>,
  { passphrase, workFactor = WORK_FACTOR }: Sealing,
): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(workFactor)
  encrypter.setPassphrase(passphrase)
  return encrypter.encrypt(streamOf(bytes))
}

/** The bytes of a sealed file. Throws an ArchiveError, at once or when they are read, where they are not what was sealed. */
export async function unseal(path: string, passphrase: string): Promise<AsyncGenerator<Uint8Array>> {
  await refuseOtherFiles(path)
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    return whole(await decrypter.decrypt(streamOf(file)))
  } catch (error) {
    file.destroy()
    throw new ArchiveError('the passphrase is not that of the archive, or its beginning was changed', { cause: error })
  }
}

/** As the library takes bytes: the next ones are asked for when it wants them. */
function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}

async function* whole(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw new ArchiveError('the archive is damaged: bytes of it were changed, moved or cut off', { cause: error })
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}

/** The header has one form where a passphrase seals: what looks otherwise is not handed on, however long it is. */
async function refuseOtherFiles(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_HEADER_BYTES), 0, MOST_HEADER_BYTES, 0)
    const [, work] = buffer.subarray(0, bytesRead).toString('latin1').match(HEADER) ?? []
    if (work === undefined) throw new ArchiveError('this is no archive that a passphrase seals')
    if (Number(work) > MOST_WORK) throw new ArchiveError('its passphrase would take too long to try')
  } finally {
    await file.close()
  }
}
