// Runs a program that works on one image in a process of its own, with its bytes on standard input and the result on standard output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'

/** Why an image is refused; the message is a sentence for its sender. */
export type ImageProblem = 'unsupported' | 'too_large' | 'unreadable' | 'too_slow'

export class ImageError extends Error {
  override name = 'ImageError'
  code: ImageProblem
  constructor(code: ImageProblem, message: string) {
    super(message)
    this.code = code
  }
}

export const imageTooLarge = (maxBytes: number) =>
  new ImageError('too_large', `The image is larger than ${maxBytes / 1024 / 1024} MB`)

interface ProgramRun {
  args: string[]
  input: Buffer
  maxMs: number
  /** Of the result. */
  maxBytes: number
  env?: Readonly<Record<string, string>>
}

/**
 * The result of a program of this server.
 *
 * @throws ImageError too_slow, unreadable when it ends with an error, too_large
 */
export async function outputOf(
  program: string,
  { args, input, maxMs, maxBytes, env: more }: ProgramRun,
): Promise<Buffer> {
  // Almost no environment: an absent variable cannot leak. Windows starts nothing without SystemRoot, and if this process caches
  // compiled code for the next start, the program starts in half the time too.
  const env = { SystemRoot: process.env['SystemRoot'], NODE_COMPILE_CACHE: getCompileCacheDir(), ...more }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
  const closed = once(child, 'close')
  closed.catch(() => {})
  // It may refuse before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of child.stdout) {
      size += chunk.length
      if (size > maxBytes) throw imageTooLarge(maxBytes)
      chunks.push(chunk)
    }
    const [exitCode] = await closed
    if (child.killed) throw new ImageError('too_slow', 'The image takes too long to decode')
    if (exitCode !== 0) throw new ImageError('unreadable', 'The image cannot be decoded')
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
