// Puts an MCP server into the configuration of agents, and takes it out: guildhall.lock says of which.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../client/src/replace-file.ts'
import { isCode } from '../../client/src/turns.ts'
import { type McpClient, mcpClients } from '../../src/formats/kinds/mcp-server/clients.ts'
import type { Context } from './command.ts'
import { itemFiles } from './item-files.ts'
import type { Place, PlaceRequest, PlaceStep, Places } from './places.ts'
import { RefusedError } from './usage.ts'

/** Codex has one file of its user. */
const folderOf = ({ environment }: Context, base: string, client: McpClient): string =>
  client === 'codex' ? (environment['HOME'] ?? homedir()) : base

/** For the clients that are asked for, and those that have it already. */
export async function mcpPlaces(
  context: Context,
  { entry, before, file }: PlaceStep,
  { base, asked }: { base: string; asked: PlaceRequest },
): Promise<Places> {
  const clients = mcpClients.filter((one) => entry?.clients?.includes(one) || asked.clients?.includes(one))
  if (clients.length === 0) return { list: [], locked: {} }
  const list = clients.map((client) => {
    const own = entry?.clients?.includes(client) ? before : undefined
    return placeIn(context, { client, base, file, before: own })
  })
  return { list: await Promise.all(list), locked: { clients } }
}

/** Taken out of every client that the lock names. */
export async function mcpRemovals(
  context: Context,
  { entry, before }: Omit<PlaceStep, 'file'>,
  base: string,
): Promise<Place[]> {
  const clients = mcpClients.filter((one) => entry?.clients?.includes(one))
  return Promise.all(clients.map((client) => placeIn(context, { client, base, file: undefined, before })))
}

interface PlaceIn {
  client: McpClient
  base: string
  file: string | undefined
  before: string | undefined
}

async function placeIn(context: Context, { client, base, file, before }: PlaceIn): Promise<Place> {
  const { serverFileChange, clientFiles } = await itemFiles()
  const path = join(folderOf(context, base, client), clientFiles[client].path)
  const read = async (from: string | undefined) => (from === undefined ? undefined : readFile(from))
  const [server, former] = [await read(file), await read(before)]
  const planned = await change()
  return {
    lost: planned.isLost ? [path] : [],
    // Others may have written into it since: it is read again.
    async change() {
      const { text } = await change()
      if (text === ((await textOf(path)) ?? '')) return
      await mkdir(dirname(path), { recursive: true })
      if (text === '') await rm(path, { force: true })
      else await replaceFile(path, text)
    },
  }

  async function change() {
    try {
      return serverFileChange({ client, server, before: former, text: await textOf(path) })
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'FormatError') throw error
      throw new RefusedError('client_file', `${path} is left as it is: ${error.message}`)
    }
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}
