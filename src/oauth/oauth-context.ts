// Dependencies of the authorization server's endpoints.
import type { EndpointRequest } from '../request/endpoint.ts'
import type { Dependencies } from '../request/handler.ts'
import { parseJson } from '../runtime/untyped.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import type { ReadProof } from './dpop/dpop.ts'
import type { ReadJwt } from './jwt.ts'
import type { Keys } from './keys.ts'

export interface OAuthContext {
  dependencies: Dependencies
  keys(): Promise<Keys>
  server(): Promise<AuthorizationServer>
  readProof: ReadProof
  readJwt: ReadJwt
  /** Calls an operation of our own API for the user: same session, same address, same browser. */
  callApi(received: EndpointRequest, path: string, body: unknown): Promise<ApiAnswer>
}

export interface ApiAnswer {
  status: number
  /** The API's error message. */
  message: string
  cookies: string[]
}

/** The whole application, as a request reaches it. */
export type Application = (request: Request, requestContext: { address: string }) => Response | Promise<Response>

export const apiCaller =
  (application: Application, baseUrl: string): OAuthContext['callApi'] =>
  async ({ request, address }, path, body) => {
    const cookie = request.headers.get('cookie')
    const userAgent = request.headers.get('user-agent')
    const answer = await application(
      new Request(`${baseUrl}/api${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(cookie && { Cookie: cookie }),
          ...(userAgent && { 'User-Agent': userAgent }),
        },
        body: JSON.stringify(body),
      }),
      { address },
    )
    const { message, error } = parseJson<{ message?: string; error?: string }>(await answer.text())
    return { status: answer.status, message: message ?? error ?? '', cookies: answer.headers.getSetCookie() }
  }
