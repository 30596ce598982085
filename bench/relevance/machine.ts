// A machine that says what texts mean (`/embeddings` of OpenAI's API), on this machine, and counts what it is asked.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** About so many characters are a token to it. */
const TOKEN_LENGTH = 4

interface MachineUse {
  requests: number
  texts: number
  tokens: number
}

export interface MeaningMachine {
  /** Settings that name it. */
  settings: Record<string, string>
  /** What it was asked since the last time that this was called. */
  asked(): MachineUse
  close(): void
}

/** Starts it; `embed` gives the vector of a text. */
export async function startMeaningMachine(embed: (text: string) => number[]): Promise<MeaningMachine> {
  let asked: MachineUse = { requests: 0, texts: 0, tokens: 0 }
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request)) as { input: string[] }
    const tokens = input.reduce((sum, one) => sum + Math.ceil(one.length / TOKEN_LENGTH), 0)
    asked.requests++
    asked.texts += input.length
    asked.tokens += tokens
    const data = input.map((one, index) => ({ index, embedding: embed(one) }))
    response.writeHead(200).end(JSON.stringify({ data, usage: { total_tokens: tokens } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      ...{ AI_URL: `http://${host}/v1/chat/completions`, AI_MODEL: 'none', AI_EMBEDDINGS_MODEL: 'lsi' },
      PRIVATE_SERVICES: host,
    },
    asked() {
      const before = asked
      asked = { requests: 0, texts: 0, tokens: 0 }
      return before
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
