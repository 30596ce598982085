// Places that are gone after the test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** The path of a new, empty directory, removed with its contents when the test ends. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}
