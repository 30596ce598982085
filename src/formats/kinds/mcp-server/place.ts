// What `install` and `remove` write into the configuration of an agent.
import { assertNoOwnVariables, entryFor } from './client-config.ts'
import { changedFile, clientFiles, entryIn, isSame } from './client-files.ts'
import type { ServerFileChange, ServerFileRequest } from './clients.ts'
import { readServer } from './format.ts'

/** Throws FormatError for a file of the client that cannot be read, and for a server that it cannot use. */
export function serverFileChange({ client, server, before, text }: ServerFileRequest): ServerFileChange {
  const entryOf = (bytes: Uint8Array) => entryFor(client, readServer(Buffer.from(bytes)))
  const former = before === undefined ? undefined : entryOf(before)
  if (server !== undefined) assertNoOwnVariables(readServer(Buffer.from(server)))
  const next = server === undefined ? undefined : entryOf(server)
  const { path } = clientFiles[client]
  const named = next ?? former
  if (!named) return { path, text: text ?? '', isLost: false }
  const there = entryIn(client, text, named.name)
  const isOurs = [former, next].some((one) => one && isSame(there, one.entry))
  const isLost = there !== undefined && !isOurs
  const without = former ? changedFile(client, text, { ...former, entry: undefined }) : text
  return { path, text: next ? changedFile(client, without, next) : (without ?? ''), isLost }
}
