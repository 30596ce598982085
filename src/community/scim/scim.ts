// Provisioning by SCIM 2.0 (RFC 7643, RFC 7644), as the rest of the community sees it: the blocks of providers, and the endpoints.
import type { Endpoint, Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { errorAnswer, scimErrorOf } from './messages.ts'

export { newScimToken, storeToken } from './tokens.ts'

const BASE = '/api/scim/v2'
const BODY_LIMIT = 1024 * 1024

/** Every path of it. Loaded when one is first asked for; 404 where the operator has it off. */
export function scimEndpoints(dependencies: Dependencies): readonly Endpoint[] {
  const serve: Serve = async (received) => (await import('./serving.ts')).serveScim(dependencies, received)
  const paths: Record<string, readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]> = {
    ServiceProviderConfig: ['GET'],
    ResourceTypes: ['GET'],
    'ResourceTypes/:id': ['GET'],
    Schemas: ['GET'],
    'Schemas/:id': ['GET'],
    Users: ['GET', 'POST'],
    'Users/:id': ['GET', 'PUT', 'PATCH', 'DELETE'],
    Groups: ['GET', 'POST'],
    'Groups/:id': ['GET', 'PUT', 'PATCH', 'DELETE'],
  }
  return Object.entries(paths).map(([path, methods]) => ({
    ...{ path: `${BASE}/${path}`, otherSites: 'keep out', bodyLimit: BODY_LIMIT },
    methods: Object.fromEntries(methods.map((method) => [method, serve])),
    refuse: (problem) => errorAnswer(scimErrorOf(problem)),
  }))
}
