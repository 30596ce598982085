// Signing in on a machine without a browser: a code is shown here and typed on another device.
import { platform } from 'node:os'
import type { Tokens } from '../../client/src/token-endpoint.ts'
import type { Context } from './command.ts'

/** The words by which the server names systems (RFC 9110, 10.1.5). */
const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'Macintosh', win32: 'Windows NT', linux: 'Linux' }

interface DeviceLogin {
  url: string
  clientId: string
  scope: string
}

/** Tokens once the person allowed it on another device. */
export async function byDevice({ show, signal, fetch }: Context, asked: DeviceLogin): Promise<Tokens> {
  const { signInWithDevice } = await import('../../client/src/device.ts')
  return signInWithDevice({
    ...asked,
    ...{ signal, fetch, userAgent: `guildhall (${SYSTEMS[platform()] ?? platform()})` },
    show({ userCode, address, addressWithCode, expiresInSeconds }) {
      show(`Open ${address} on any device and type the code ${userCode}`)
      show(`or open ${addressWithCode}`)
      show(`Waiting for ${Math.round(expiresInSeconds / 60)} minutes.`)
    },
  })
}
