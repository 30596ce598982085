// For programs with files and a browser beside them: @guildhall/client/node.
export { fileTokens } from './file-tokens.ts'
export { type BrowserSignIn, signInWithBrowser } from './loopback.ts'
export { saveDownload } from './save-download.ts'
