// Clients: the fixed one, registered ones, and those whose id is the URL of a metadata document.
import type { Provider } from 'oidc-provider'
import { isDocumentUrl } from '../identity/client-name.ts'

export type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

export { isDocumentUrl } from '../identity/client-name.ts'

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
