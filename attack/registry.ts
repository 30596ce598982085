// What the library believes of those who publish and download: keys that are none, and downloads that were not.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { publishToAll } from './things.ts'

const CLAUSE = 'registry'
const COUNTED_MILLISECONDS = 60_000

export const registry: Attack[] = [
  {
    name: 'a key of a publisher has 32 bytes or is refused',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const add = (key: string) => owner.api.publisherKeys.add({ name: 'Laptop', public_key: key })
      const bytes = (size: number) => randomBytes(size).toString('base64')
      await add(bytes(32))
      const sizes = [0, 1, 31, 33, 64, 1_000]
      await holdEach(sizes, String, (size) => holdRefused(add(bytes(size)), [400], 'a key'))
      await holdRefused(add(`${'A'.repeat(42)}B=`), [400], 'bits that no byte has')
      return `${sizes.length} sizes`
    },
  },
  {
    name: 'a part of a file is no download',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const [touched, whole] = [await publishToAll(owner), await publishToAll(owner)]
      const downloadsOf = async ({ id }: { id: string }) => (await reader.api.library.get({ id })).downloads?.total ?? 0
      const ranges = ['bytes=0-0', 'bytes=0-10', 'bytes=5-', 'bytes=-1', 'bytes=0-1,3-4']
      for (const Range of ranges) {
        const part = await reader.get(`/api/library/items/${touched.id}/artifact`, { Range })
        holdStatus(part, [200, 206, 416], Range)
      }
      await (await reader.api.library.download({ id: whole.id })).bytes()
      // What came before it is counted before it.
      for (const until = Date.now() + COUNTED_MILLISECONDS; (await downloadsOf(whole)) === 0; await sleep(100))
        if (Date.now() > until) throw new Error('A whole download is not counted.')
      hold((await downloadsOf(touched)) === 0, 'parts were counted')
      return `${ranges.length} ranges`
    },
  },
  {
    name: 'a revoked key of a publisher signs nothing more, and everybody sees that it was revoked',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const item = { id: (await publishToAll(owner)).id, version: '1.0.0' }
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
      const { id: key_id } = await owner.api.publisherKeys.add({ name: 'Laptop', public_key })
      const statement = () => reader.api.transparency.statement(item)
      const payload = Buffer.from((await statement()).payload, 'base64')
      const type = 'application/vnd.in-toto+json'
      const message = `DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`
      const signature = sign(null, Buffer.from(message), privateKey).toString('base64')
      const put = () => owner.api.publisherKeys.sign({ ...item, key_id, signature })
      await put()
      hold((await statement()).publisher_key?.revoked_at === null, 'a key is revoked before its revocation')
      await owner.api.publisherKeys.revoke({ id: key_id })
      await holdRefused(put(), [400], 'a signature of the revoked key')
      const revokedAt = (await statement()).publisher_key?.revoked_at
      hold(typeof revokedAt === 'string', 'the revocation is not shown to others')
      return 'refused and shown'
    },
  },
  {
    name: 'an MCP server says nothing in the name of the registry, is not proven by its own word, and shows nothing that is private',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const name = `io.github.attacker/server-${randomBytes(6).toString('hex')}`
      const official = { status: 'active', isLatest: true, verified: true }
      const said = { github: { name: 'x', stargazer_count: 1e6 }, tool: 'ci' }
      const file = (changes: object) =>
        Buffer.from(
          JSON.stringify({
            ...{ name, description: 'Claims much.', version: '1.0.0' },
            _meta: {
              'io.modelcontextprotocol.registry/official': official,
              'io.modelcontextprotocol.registry/publisher-provided': said,
              'guildhall/item': { verified: true },
            },
            ...changes,
          }),
        )
      const put = (changes: object, visibility: 'public' | 'private') =>
        owner.api.library.publish({ kind: 'mcp-server', file: file(changes), visibility })
      await put({}, 'public')
      await put({ name: `${name}.hidden` }, 'private')
      const reader = target.anonymous()
      const read = async (path: string) => (await reader.get(`/v0.1/servers${path}`)).text
      const [listed, hidden] = [await read(`?search=${encodeURIComponent(name)}`), `${name}.hidden`]
      hold(listed.includes(`"${name}"`), 'a public server is not listed')
      hold(!listed.includes(hidden), 'a private server is listed')
      for (const claim of ['stargazer_count', '"isLatest":true,"verified"'])
        hold(!listed.includes(claim), `${claim} is served`)
      hold(listed.includes('"verified":false}'), 'the registry does not say that the name is unproven')
      const paths = [`/${encodeURIComponent(hidden)}/versions`, `/${encodeURIComponent(hidden)}/versions/1.0.0`]
      await holdEach(paths, String, async (path) => holdStatus(await owner.get(`/v0.1/servers${path}`), [404], path))
      const odd = [
        '?limit=101',
        '?limit=-1',
        `?search=${'x'.repeat(201)}`,
        '?cursor=AAAA',
        '?version=^1',
        '?updated_since=0',
      ]
      await holdEach(odd, String, async (query) => holdStatus(await reader.get(`/v0.1/servers${query}`), [400], query))
      return 'nothing of it is served'
    },
  },
  {
    name: 'a name of an MCP server is not proven by the key of another account, and no address of a machine is asked',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, thief] = [await target.newcomer(), await target.newcomer()]
      const own = randomBytes(6).toString('hex')
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
      // What a domain names is public, so others can add it.
      const [{ id: key_id }, { id: found }] = [
        await owner.api.publisherKeys.add({ name: 'Own', public_key }),
        await thief.api.publisherKeys.add({ name: 'Found', public_key }),
      ]
      const namespaces = [
        'example.foreign',
        '1.0.0.127',
        '254.169.254.169',
        'localhost',
        'io.github.foreign',
        'invalid.x..y',
      ]
      const names = namespaces.map((namespace) => `${namespace}/${own}`)
      await holdEach(names, String, async (name) => {
        const file = Buffer.from(JSON.stringify({ name, description: 'Claims a name.', version: '1.0.0' }))
        const { id } = await thief.api.library.publish({ kind: 'mcp-server', file, visibility: 'public' })
        const { payload } = await thief.api.transparency.statement({ id, version: '1.0.0' })
        const text = Buffer.from(payload, 'base64')
        const type = 'application/vnd.in-toto+json'
        const bytes = Buffer.from(`DSSEv1 ${type.length} ${type} ${text.length} ${text}`)
        const signature = sign(null, bytes, privateKey).toString('base64')
        const put = { id, version: '1.0.0', signature }
        await holdRefused(owner.api.publisherKeys.sign({ ...put, key_id }), [403], 'the version of another account')
        await holdRefused(thief.api.publisherKeys.sign({ ...put, key_id }), [400], 'the key of another account')
        const forged = randomBytes(64)
        forged[63] = 0
        const sig = forged.toString('base64')
        await holdRefused(
          thief.api.publisherKeys.sign({ ...put, signature: sig, key_id: found }),
          [400],
          'no signature',
        )
        // Signed by a key that no domain names.
        await thief.api.publisherKeys.sign({ ...put, key_id: found })
        const isProven = async () => (await thief.api.library.get({ id })).meta['verified']
        hold((await isProven()) === false, 'it is proven')
      })
      await sleep(3_000)
      const { items } = await thief.api.library.list({ kind: 'mcp-server', q: own })
      hold(
        items.every(({ meta }) => meta['verified'] === false),
        'one is proven after a while',
      )
      const again = await target.anonymous().get(`/v0.1/servers?search=${own}`)
      hold(!again.text.includes('"verified":true'), 'the registry says that one is proven')
      return `${names.length} names`
    },
  },
]
