// The library's part of the API: who may call what, and errors as { error: { code, message } } (interface.md, section 7).
import { z } from 'zod'
import type { Access, Area } from '../../contract/operation.ts'
import { statusOf } from '../../contract/problem.ts'

export const library: Area = {
  name: 'library',
  paths: /^(?:\/api\/(?:library|teams)|\/clawhub|\/marketplace\.git|\/\.claude-plugin)(\/|$)/,
  reading: 'library:read',
  errorBody: z.object({ error: z.object({ code: z.string(), message: z.string() }) }).meta({ id: 'LibraryError' }),
  statusOf: (code) => statusOf[code],
  render: ({ code, message }) => ({ error: { code, message } }),
}

/** The MCP Registry API, with errors as its description has them (behaviour.md, section 4). */
export const mcpRegistry: Area = {
  name: 'mcpRegistry',
  paths: /^\/v0\.1(\/|$)/,
  reading: 'library:read',
  errorBody: z.object({ error: z.string() }),
  statusOf: (code) => statusOf[code],
  render: ({ message }) => ({ error: message }),
}

/** Browsing. A token without the scope sees what anonymous users see. */
export const browse = { area: library, credential: 'optional', scope: 'library:read' } as const satisfies Access
/** The same for every caller. */
export const publicly = { area: library, credential: 'none' } as const satisfies Access
/** Downloads, of official items too. */
export const read = { area: library, credential: 'required', scope: 'library:read' } as const satisfies Access
export const write = { area: library, credential: 'required', scope: 'library:write' } as const satisfies Access
/** Any session, and any valid token with any scopes. */
export const anyCredential = { area: library, credential: 'required' } as const satisfies Access
