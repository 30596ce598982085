// Clients: the fixed one, registered ones, and those whose id is the URL of a metadata document.
import type { Provider } from 'oidc-provider'
import type { Config } from '../config/config.ts'
import { isDocumentUrl } from '../identity/client-name.ts'

export type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/** Fetches the client's document if its id is a URL; call it before a transaction is opened. */
export async function knowClient(provider: Provider, clientId: string | null): Promise<void> {
  if (clientId && isDocumentUrl(clientId)) await findClient(provider, clientId)
}

/** The client; undefined when there is none, or its document cannot be had. */
export async function findClient(provider: Provider, clientId: string): Promise<Client | undefined> {
  try {
    return await provider.Client.find(clientId)
  } catch {
    return undefined
  }
}

type ClientConfig = Pick<Config, 'agentClientId' | 'name'>

/** The name of a client; that of the fixed one is made of the server's. */
export const nameOf = (
  { clientId, clientName }: { clientId: string; clientName?: string | undefined },
  { agentClientId, name }: ClientConfig,
): string | undefined => (clientId === agentClientId ? `${name} agent` : clientName)

/** A client as pages show it where a person decides: the name that it gives itself, and what vouches for it. */
export function describedClient(
  { clientId, clientName }: { clientId: string; clientName?: string | undefined },
  config: ClientConfig,
) {
  const origin = clientId === config.agentClientId ? 'fixed' : isDocumentUrl(clientId) ? 'document' : 'registered'
  return {
    name: nameOf({ clientId, clientName }, config) || clientId,
    origin,
    host: URL.parse(clientId)?.host ?? '',
  } as const
}
