// Requests written by hand: a client of HTTP would put path and Host right first.
import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

interface Head {
  version?: string
  /** In place of an ordinary Host, with its line break. */
  head?: string
  /** More headers, each with its line break. */
  more?: string
}

/** Sends a request line and headers as they are, in Latin-1. */
export function raw(
  port: number,
  line: string,
  { version = '1.1', head = 'Host: localhost\r\n', more = '' }: Head = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from(`${line} HTTP/${version}\r\n${head}Connection: close\r\n${more}\r\n`, 'latin1'))
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answerIn(text)))
  })
}

function answerIn(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 2)]),
  )
  return { status: Number(status.split(' ')[1]), headers, body }
}
