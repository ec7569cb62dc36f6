# A window with nothing in it but VTE, the engine of GNOME Terminal and many others. It takes one order per line on its
# standard input: "resize COLUMNS ROWS" and "write FILE", which saves everything that can be scrolled to.
import os
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Vte", "2.91")
from gi.repository import Gio, GLib, Gtk, Pango, Vte  # noqa: E402

columns, rows, scrollback_rows = (int(argument) for argument in sys.argv[1:4])
window = Gtk.Window(title="vte")
terminal = Vte.Terminal()
terminal.set_font(Pango.FontDescription("DejaVu Sans Mono 8"))
terminal.set_size(columns, rows)
terminal.set_scrollback_lines(scrollback_rows)
window.add(terminal)
window.connect("destroy", Gtk.main_quit)
window.show_all()
terminal.spawn_async(Vte.PtyFlags.DEFAULT, None, sys.argv[4:], None, GLib.SpawnFlags.DEFAULT, None, None, -1, None, None)


def resize(new_columns, new_rows):
    padding = terminal.get_style_context().get_padding(Gtk.StateFlags.NORMAL)
    width = int(new_columns) * terminal.get_char_width() + padding.left + padding.right
    height = int(new_rows) * terminal.get_char_height() + padding.top + padding.bottom
    window.resize(width, height)


def write(path):
    unfinished = path + ".part"
    stream = Gio.File.new_for_path(unfinished).replace(None, False, Gio.FileCreateFlags.NONE, None)
    terminal.write_contents_sync(stream, Vte.WriteFlags.DEFAULT, None)
    stream.close()
    os.rename(unfinished, path)


def obey(order):
    name, *arguments = order.split()
    {"resize": resize, "write": write}[name](*arguments)
    return False


def listen():
    for order in sys.stdin:
        GLib.idle_add(obey, order)


threading.Thread(target=listen, daemon=True).start()
Gtk.main()
