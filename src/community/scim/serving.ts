// The endpoints of SCIM 2.0: who asks, for what, and the answer in its form.
import { Problem } from '../../contract/problem.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { objectIn } from '../../runtime/json.ts'
import * as groups from './groups.ts'
import { errorAnswer, listAnswer, ScimError, type ScimRequest, scimErrorOf, scimJson } from './messages.ts'
import { providerConfig, resourceTypes, schemas } from './schemas.ts'
import { requireToken } from './tokens.ts'
import * as users from './users.ts'

export async function serveScim(dependencies: Dependencies, received: EndpointRequest): Promise<EndpointResponse> {
  try {
    if (!dependencies.config.scim) throw new ScimError(404, 'This server is not provisioned by SCIM')
    await requireToken(dependencies, received)
    return await answer(dependencies, received)
  } catch (error) {
    if (error instanceof ScimError) return errorAnswer(error)
    if (error instanceof Problem && error.code !== 'rate_limited') return errorAnswer(scimErrorOf(error))
    throw error
  }
}

function bodyOf({ body, request }: EndpointRequest): Record<string, unknown> {
  if (body === '') return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:scim\+)?json\b/i.test(type))
    throw new ScimError(400, 'Send JSON, with Content-Type: application/scim+json', 'invalidSyntax')
  const given = objectIn(body)
  if (!given) throw new ScimError(400, 'The body is not a JSON object', 'invalidSyntax')
  return given
}

async function answer(dependencies: Dependencies, received: EndpointRequest): Promise<EndpointResponse> {
  const { request, url, now, address } = received
  const [, kind = '', id = ''] = /\/api\/scim\/v2\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const base = `${dependencies.config.baseUrl}/api/scim/v2`
  const asked: ScimRequest = {
    context: { ...dependencies, now, address },
    ...{ base, id: decoded(id), query: url.searchParams, body: bodyOf(received) },
  }
  if (kind === 'ServiceProviderConfig') return scimJson(200, providerConfig(base))
  if (kind === 'ResourceTypes') return described(resourceTypes(base), asked.id)
  if (kind === 'Schemas') return described(schemas(base), asked.id)
  const resource = kind === 'Users' ? users : groups
  if (request.method === 'POST') return resource.create(asked)
  if (request.method === 'PUT') return resource.replace(asked)
  if (request.method === 'PATCH') return resource.patch(asked)
  if (request.method === 'DELETE') return resource.remove(asked)
  return id === '' ? resource.list(asked) : resource.get(asked)
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new ScimError(404, 'No such resource')
  }
}

function described(all: readonly { id: string }[], id: string): EndpointResponse {
  if (id === '') return listAnswer({ total: all.length, startIndex: 1, resources: all })
  const one = all.find((each) => each.id === id)
  if (!one) throw new ScimError(404, 'No such resource')
  return scimJson(200, one)
}
