// No request blocks the others, for any content: tools, the authorization server, and the forms and addresses of pages.
import { it } from 'node:test'
import { protocolCases, siteCases, toolCases } from './elsewhere.ts'
import { watchedServer } from './watched.ts'

const server = watchedServer()

it('no message to the tools holds up the others', () => server.watchCases(toolCases()))
it('no request to the authorization server does, and no long address', () => server.watchCases(protocolCases()))
it('no form of the site does', () => server.watchCases(siteCases()))
