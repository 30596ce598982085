// A process of tokens.test.ts: calls a server with tokens from a file that others use too.
import { fileTokens } from '../src/file-tokens.ts'
import { createClient } from '../src/main-node.ts'

const [url = '', path = ''] = process.argv.slice(2)
await createClient({ url, tokens: fileTokens(path) }).profile.me()
