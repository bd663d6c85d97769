"""Pure pixels and sound: the journey of a picture from a file to the screen.

1. `sniff` reads the first bytes: what a file is, is told by its content, never by its suffix.
2. `decode` turns the file into raw rows: libjpeg-turbo for JPEG (in the smallest of its scales that is still sharp),
   libvips row by row for PNG, TIFF, WebP and AVIF, Pillow for what is rare. Strictly first, so that damage is noticed;
   leniently after that, so that what can be seen is seen, and marked.
3. `colour` and `display` make a display buffer of it: sixteen bits through a stated window, the embedded profile to
   sRGB, alpha over a checker, the orientation applied once. A display buffer is uint8 (height, width, 4) in the order
   blue, green, red, unused: a window can wrap it without a copy.
4. `pictures` hands it out as a preview or as a whole, `pyramid` halves it for painting at any zoom.

A frame of a clip takes another road to the same buffer: `packets` lists what a file holds without decoding it, `clip`
seeks to the key frame, checks that it arrived there and decodes up to the frame whose interval holds the moment asked
for; `folder` and `animation` offer the same for folders of frames and for moving pictures. `service` runs all of it in
worker threads, the newest request first; `framecache` keeps what was decoded, by bytes. `sound` decodes what is heard.

Nothing here knows what a dialogue is, and nothing here knows Qt. Importing this package imports none of the decoders:
import the module you need.
"""
