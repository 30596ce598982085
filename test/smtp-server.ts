// A mail server for tests, on a port that its caller chooses.
import { createServer, type Server } from 'node:net'

/** As much of RFC 5321 as a sender needs to be rid of a mail. */
export function smtpServer(take: (text: string) => void): Server {
  return createServer((socket) => {
    let data = ''
    let inData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') return reply('250 test')
      if (verb === 'RCPT' && line.includes('refused')) return reply('550 No such mailbox')
      if (verb === 'QUIT') return socket.end('221 Bye\r\n')
      inData = verb === 'DATA'
      return reply(inData ? '354 Go on' : '250 OK')
    }
    reply('220 test')
    socket.on('data', (chunk) => {
      data += chunk.toString()
      if (inData) {
        if (!data.endsWith('\r\n.\r\n')) return
        take(data)
        data = ''
        inData = false
        reply('250 Taken')
        return
      }
      const lines = data.split('\r\n')
      data = lines.pop()!
      for (const line of lines) command(line)
    })
    socket.on('error', () => {})
  })
}
