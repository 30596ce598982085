// The library that speaks the protocol, as the endpoints call it.
import type { Provider } from 'oidc-provider'
import type { Answer, Call } from './bridge.ts'
import type { Owner } from './interactions.ts'

export interface AuthorizationServer {
  provider: Provider
  /** The audience of an access token for agents. */
  agentResource: InstanceType<Provider['ResourceServer']>
  /** Calls one of the library's endpoints; the path is below {auth_url}. */
  call(call: Omit<Call, 'url'> & { path: string; owner?: Owner | undefined }): Promise<Answer>
}
