// Domains of tests: one https server on this machine, where all names lead that a certificate of tests has.
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { encodingOf } from '../src/library/statements/statement.ts'
import type { Reach } from '../src/outgoing/guarded-request.ts'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/domains/${name}`, import.meta.url), 'utf8')

export interface Domains {
  reach: Reach
  /** `domain path` of each question, in order. */
  asked: string[]
  /** What each domain says at the path of its keys; one that is not there has no such file. */
  say: Map<string, string | ((response: ServerResponse) => void)>
}

/** Runs with domains that answer, and ends them. */
export async function withDomains(run: (domains: Domains) => Promise<void>): Promise<void> {
  const [ca, key] = [fixture('certificate.pem'), fixture('key.pem')]
  const domains: Domains = { reach: { isAllowed: () => false }, asked: [], say: new Map() }
  const server = createServer({ key, cert: ca }, ({ headers, url = '' }, response) => {
    const domain = String(headers.host).replace(/:\d+$/, '')
    domains.asked.push(`${domain} ${url}`)
    const said = domains.say.get(domain)
    if (typeof said === 'function') said(response)
    else if (said === undefined || url !== '/.well-known/mcp-registry-auth') response.writeHead(404).end()
    else response.end(said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  domains.reach = {
    ca,
    isAllowed: (address) => address === '127.0.0.1',
    standIn: { address: '127.0.0.1', port },
  }
  try {
    await run(domains)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A key of a publisher, with the record that a domain has of it. */
export function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const signed = (text: string) => sign(null, encodingOf(text), privateKey).toString('base64')
  return { public_key, sign: signed, record: `v=MCPv1; k=ed25519; p=${public_key}` }
}
