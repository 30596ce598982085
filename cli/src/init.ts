// init: a lock file for the project in this folder.
import type { Context } from './command.ts'
import { createLock } from './lock-file.ts'
import { line } from './text.ts'
import { UsageError } from './usage.ts'

export async function init(context: Context): Promise<void> {
  if (context.environment['GUILDHALL_HOME'])
    throw new UsageError('GUILDHALL_HOME is set, and a guildhall.lock of a folder is not used then: unset it first')
  const path = await createLock(context.folder)
  context.say(`Made ${line(path)}: commands in this folder and below use it`)
  context.report({ path })
}
